import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { authoritySigned } from '#net/testing/self-signed.ts';
import { moveStore } from './backup.ts';
import { openRecords, openStore, type Store, stateFile } from './database.ts';
import * as decisions from './decisions.ts';
import { StoreUnavailable } from './engine.ts';
import { noteBackup, probe } from './notes.ts';
import { openPostgres } from './postgres.ts';
import { describePurge } from './purge.contract.ts';
import type { StateDb } from './schema.ts';
import { describeStore } from './store.contract.ts';
import { draftOf } from './testing/decision-draft.ts';
import { insertedTicket } from './testing/inserted.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';
import { putRecords } from './testing/records-to-purge.ts';
import { rowsIn } from './testing/state-file.ts';
import * as tickets from './tickets.ts';

const password = 'canary-5e1b';
const ours = authoritySigned(['localhost']);
const folder = mkdtempSync(join(tmpdir(), 'deskside-postgres-'));
let server: PostgresServer;

const urlOf = (database: string, secret = password) =>
  `postgres://postgres:${secret}@127.0.0.1:${server.port}/${database}`;
const newDatabase = async (name: string) => {
  await server.createDatabase(name);
  return urlOf(name);
};
/** As any other program would. */
async function connect(url: string): Promise<pg.Client> {
  const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}
/** Every row of every table, as text, in an order that both databases have; without what records migrations. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const client = await connect(url);
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'deskside_%'",
  );
  const content: Record<string, string[]> = {};
  for (const { name } of rows) content[name] = asText((await client.query<object>(`select * from "${name}"`)).rows);
  return content;
}
const away = (code: string) => ({ name: 'StoreUnavailable', code });
const asText = (rows: object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

beforeAll(async () => {
  server = await startPostgres(password, { tls: ours });
  await newDatabase('deskside');
  await newDatabase('race');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('the store on PostgreSQL', () => {
  describeStore((clock) => openStore(urlOf('deskside'), clock));
});

describe('a purge on PostgreSQL', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await newDatabase('purge'));
  });
  afterAll(() => store.close());
  describePurge(
    () => store,
    () => contentOf(urlOf('purge')),
  );
});

describe('a store on PostgreSQL', () => {
  it('that a newer version or 0.1 has written is refused and stays; other programs’ tables are not ours', async () => {
    const url = await newDatabase('later');
    await (await openStore(url)).close();
    const client = await connect(url);
    await client.query('create table kysely_migration (name text); create table kysely_migration_lock (id text)');
    await (await openStore(url)).close();
    await client.query("insert into deskside_migration values ('0099_future', '2027-01-01T00:00:00.000Z')");
    await expect(openStore(url)).rejects.toThrow(/^PostgreSQL database later at \S+ was written by a newer/);
    const former = await newDatabase('former');
    await (await connect(former)).query('create table pipeline_migration_lock (id text)');
    for (const use of [openStore, openRecords]) await expect(use(former)).rejects.toThrow(/written by Deskside 0\.1/);
    expect(Object.keys(await contentOf(former))).toEqual(['pipeline_migration_lock']);
  });

  it('may be opened by several replicas at the same moment, on a new database and again', async () => {
    for (const _ of [1, 2]) {
      const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(urlOf('race'))));
      await Promise.all(stores.map(({ db }) => probe(db)));
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  it('has a request wait while all connections are in use, as they are for seconds on a busy machine', async () => {
    const db = new Kysely<unknown>({ dialect: (await openPostgres(urlOf('race'))).dialect });
    const done = Promise.withResolvers<void>();
    let taken = 0;
    const inUse = Array.from({ length: 10 }, () =>
      db.connection().execute(() => {
        taken += 1;
        return done.promise;
      }),
    );
    await expect.poll(() => taken).toBe(10);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const waiting = sql`select 1 as one`.execute(db).then(
        ({ rows }) => rows,
        (error: Error) => error.message,
      );
      await vi.advanceTimersByTimeAsync(15_000);
      done.resolve();
      expect(await waiting).toEqual([{ one: 1 }]);
    } finally {
      vi.useRealTimers();
    }
    await Promise.all(inUse);
    await db.destroy();
  });

  it('accepts what a webhook tells in one statement: no row stays locked while the process waits for its turn', async () => {
    const statements: string[] = [];
    const { dialect } = await openPostgres(urlOf('deskside'));
    const db: StateDb = new Kysely({ dialect, log: ({ query }) => void statements.push(query.sql) });
    expect(await tickets.accept(db, 'T', insertedTicket(), 1)).toBe('accepted');
    expect(statements).toHaveLength(1);
    await db.destroy();
  });

  it('survives that the server ends a connection which is at work: that statement fails, and the process goes on', async () => {
    const db = new Kysely<unknown>({ dialect: (await openPostgres(urlOf('race'))).dialect });
    const other = await connect(urlOf('race'));
    const ended = expect(sql`select pg_sleep(60)`.execute(db)).rejects.toMatchObject(away('57P01'));
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)'`;
    await expect.poll(async () => (await other.query(end)).rowCount).toBe(1);
    await ended;
    // The next one may still be given the same connection, before that is known to have ended.
    const works = () => sql`select 1 as one`.execute(db).then(({ rows }) => rows);
    await expect.poll(() => works().catch(() => [])).toEqual([{ one: 1 }]);
    await db.destroy();
  });

  it('that cannot be reached or refuses is named with its code, and never with its password', async () => {
    const at = `at 127.0.0.1:${server.port} cannot be used`;
    const cases: [string, string][] = [
      [urlOf('deskside', `${password}-wrong`), `PostgreSQL database deskside ${at} (28P01).`],
      [urlOf('missing'), `PostgreSQL database missing ${at} (3D000).`],
      [
        `postgres://postgres:${password}@127.0.0.1:1/deskside`,
        'PostgreSQL database deskside at 127.0.0.1:1 cannot be used (ECONNREFUSED).',
      ],
    ];
    for (const [url, message] of cases) {
      const error: unknown = await openStore(url).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'StoreError', message });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(password);
    }
  });
});

describe('a connection with TLS', () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'ours.pem'), ours.authority);
    writeFileSync(join(folder, 'other.pem'), authoritySigned(['localhost']).authority);
    await newDatabase('secured');
  });
  const securedAt = (host: string, mode: string) =>
    `postgres://postgres:${password}@${host}:${server.port}/secured?sslmode=${mode.replace('sslrootcert=', `sslrootcert=${folder}/`)}`;

  it('is made with a certificate that an own authority vouches for, for the name in the address', async () => {
    await (await openStore(securedAt('localhost', 'verify-full&sslrootcert=ours.pem'))).close();
  });

  it.each([
    ['an authority that does not vouch for it', 'verify-full&sslrootcert=other.pem', 'localhost', /SIGNATURE_FAILURE/],
    ['no authority but the well-known ones', 'verify-full', 'localhost', /SELF_SIGNED|VERIFY|ISSUER/],
    ['another name', 'verify-full&sslrootcert=ours.pem', '127.0.0.1', /ERR_TLS_CERT_ALTNAME_INVALID/],
    ['a file of authorities that is not there', 'verify-full&sslrootcert=none.pem', 'localhost', /ENOENT/],
    ['a connection without TLS, which this server refuses', 'disable', 'localhost', /28000/],
  ])('is refused with one sentence: %s', async (_, mode, host, code) => {
    const error: Error = await openStore(securedAt(host, mode)).then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error.message).toMatch(/^PostgreSQL database secured at \S+ cannot be used \(\w+\)\.$/);
    expect(error.message).toMatch(code);
    expect(error.message).not.toContain(password);
  });
});

test('a store is moved from SQLite to PostgreSQL whole, into an empty place, or not at all; numbers and turns go on', async () => {
  const members = ['a', 'b', 'c'];
  const team = { team: 'CS 60p', members, eligible: members };
  const [from, to] = [`file:${join(folder, 'move')}`, await newDatabase('move')];
  const [source, target] = [await openStore(from), await openStore(to)];
  await putRecords(source);
  for (let n = 0; n < 20; n += 1) await decisions.add(source.db, draftOf(`T${n}`), 0, team);
  await probe(source.db);
  await expect(moveStore(from, to)).rejects.toThrow(/is in use: stop the service first\.$/);
  await source.close();
  const contentOfFile = () => {
    const ours = Object.entries(rowsIn(stateFile(from))).filter(([name]) => !name.startsWith('deskside_'));
    return Object.fromEntries(ours.map(([name, rows]) => [name, asText(rows)]));
  };
  const before = contentOfFile();

  await expect(moveStore(`file:${folder}/nowhere`, to)).rejects.toThrow(/^There is no \S+state\.db\.$/);
  for (const one of [to, from])
    await expect(moveStore(one, from)).rejects.toThrow(/^A store can be moved from SQLite to PostgreSQL alone\.$/);
  await noteBackup(target.db, 1);
  await expect(moveStore(from, to)).rejects.toThrow(/^The target is not empty: notes has rows\.$/);
  await target.db.deleteFrom('notes').execute();
  await sql`alter table syncs add constraint fails check (at < 0)`.execute(target.db);
  await expect(moveStore(from, to)).rejects.toThrow();
  expect(Object.values(await contentOf(to)).flat()).toEqual([]);
  await sql`alter table syncs drop constraint fails`.execute(target.db);

  expect(await moveStore(from, to)).toBe(Object.values(before).flat().length);
  expect(await contentOf(to)).toEqual(before);
  expect(contentOfFile()).toEqual(before);
  const old = await openStore(from);
  const next = await decisions.add(old.db, draftOf('new'), 0, team);
  expect(await decisions.add(target.db, draftOf('new'), 0, team)).toEqual(next);
  await Promise.all([old.close(), target.close()]);
});

describe('a server that fails', () => {
  it('is told as such, and with its code, while it is away, starting or ending', async () => {
    const store = await openStore(await newDatabase('failing'));
    const ask = () => decisions.list(store.db, { name: 'T', creation: '' });
    await ask();
    await server.crash();
    // The first may still be given a connection that has ended meanwhile.
    for (let n = 0; n < 3; n += 1) await expect(ask()).rejects.toThrow(StoreUnavailable);
    await expect(ask()).rejects.toMatchObject(away('ECONNREFUSED'));
    await server.restart();
    await expect.poll(() => ask().catch(() => null)).toEqual([]);
    await store.close();
  });
});
