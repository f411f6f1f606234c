import { inspect } from 'node:util';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from './database.ts';
import { probe } from './notes.ts';
import { postgresPool } from './postgres.ts';
import type { StateSchema } from './schema.ts';
import { describeStore } from './store.contract.ts';
import { insertedTicket } from './testing/inserted.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';
import { accept } from './tickets.ts';

const password = 'canary-5e1b';
let server: PostgresServer;

const urlOf = (database: string, secret = password) =>
  `postgres://postgres:${secret}@127.0.0.1:${server.port}/${database}`;

beforeAll(async () => {
  server = await startPostgres(password);
  await server.createDatabase('deskside');
  await server.createDatabase('race');
});

afterAll(() => server.stop());

describe('the store on PostgreSQL', () => {
  describeStore((clock) => openStore(urlOf('deskside'), clock));
});

describe('a store on PostgreSQL', () => {
  it('that a newer version has written is refused; other programs’ tables are not ours', async () => {
    await server.createDatabase('later');
    await (await openStore(urlOf('later'))).close();
    const client = new pg.Client({ connectionString: urlOf('later') });
    await client.connect();
    await client.query('create table kysely_migration (name text); create table kysely_migration_lock (id text)');
    await (await openStore(urlOf('later'))).close();
    await client.query("insert into deskside_migration values ('0099_future', '2027-01-01T00:00:00.000Z')");
    await client.end();
    await expect(openStore(urlOf('later'))).rejects.toThrow(/^PostgreSQL database later at \S+ was written by a newer/);
  });

  it('may be opened by several replicas at the same moment, on a new database and again', async () => {
    for (const _ of [1, 2]) {
      const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(urlOf('race'))));
      await Promise.all(stores.map(({ db }) => probe(db)));
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  it('is opened once another process has migrated it, however long that takes, and says that it waits', async () => {
    const [started, done, waiting] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    if (!started || !done || !waiting) throw new Error('unreachable');
    await server.createDatabase('migrated');
    const other = await postgresPool(urlOf('migrated')).open();
    const migrating = other.withLock(async () => {
      started.resolve();
      await done.promise;
    });
    await started.promise;
    const said: string[] = [];
    let isOpen = false;
    const opening = openStore(urlOf('migrated'), Date.now, (place) => {
      said.push(place);
      waiting.resolve();
    }).then((store) => {
      isOpen = true;
      return store;
    });
    await waiting.promise;
    expect(isOpen).toBe(false);
    done.resolve();
    await migrating;
    await (await opening).close();
    await other.abandon();
    expect(said).toEqual([`PostgreSQL database migrated at 127.0.0.1:${server.port}`]);
  });

  it('that is up to date is opened without waiting for whoever holds the lock', async () => {
    await (await openStore(urlOf('race'))).close();
    const other = await postgresPool(urlOf('race')).open();
    const done = Promise.withResolvers<void>();
    const holding = other.withLock(() => done.promise);
    const store = await openStore(urlOf('race'), Date.now, () => {
      throw new Error('It waits');
    });
    await store.close();
    done.resolve();
    await holding;
    await other.abandon();
  });

  it('is opened after a process that died while it migrated', async () => {
    await server.createDatabase('half');
    const dying = new pg.Client({ connectionString: urlOf('half') });
    dying.on('error', () => {});
    await dying.connect();
    await dying.query('begin');
    await dying.query('select pg_advisory_xact_lock(4477331204)');
    const waiting = Promise.withResolvers<void>();
    const opening = openStore(urlOf('half'), Date.now, () => waiting.resolve());
    await waiting.promise;
    await dying.end();
    await (await opening).close();
  });

  it('is migrated without the lock of a session, which behind a pooler in transaction mode is never given back', async () => {
    await server.createDatabase('locked');
    const left = new pg.Client({ connectionString: urlOf('locked') });
    await left.connect();
    // Kysely's own.
    await left.query('select pg_advisory_lock(3853314791062309107)');
    await (await openStore(urlOf('locked'))).close();
    await left.end();
  });

  it('has a request wait while all connections are in use, as they are for seconds on a busy machine', async () => {
    const engine = await postgresPool(urlOf('race')).open();
    const db = new Kysely<unknown>({ dialect: engine.dialect });
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
    const engine = await postgresPool(urlOf('deskside')).open();
    const statements: string[] = [];
    const db = new Kysely<StateSchema>({
      dialect: engine.dialect,
      log: ({ query }) => void statements.push(query.sql),
    });
    expect(await accept(db, 'T', insertedTicket(), 1)).toBe('accepted');
    expect(statements).toHaveLength(1);
    expect(await accept(db, 'T', insertedTicket(), 2)).toBe('known');
    await db.deleteFrom('tickets').where('ticket', '=', 'T').execute();
    await db.destroy();
  });

  it('survives that the server ends a connection which is at work: that statement fails, and the process goes on', async () => {
    const engine = await postgresPool(urlOf('race')).open();
    const db = new Kysely<unknown>({ dialect: engine.dialect });
    const other = new pg.Client({ connectionString: urlOf('race') });
    await other.connect();
    const ended = sql`select pg_sleep(60)`.execute(db).then(
      () => 'done',
      () => 'failed',
    );
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)'`;
    await expect.poll(async () => (await other.query(end)).rowCount).toBe(1);
    expect(await ended).toBe('failed');
    // The next one may still be given the same connection, before that is known to have ended.
    const works = () => sql`select 1 as one`.execute(db).then(({ rows }) => rows);
    await expect.poll(() => works().catch(() => [])).toEqual([{ one: 1 }]);
    await db.destroy();
    await other.end();
  });

  it('keeps its content between connections', async () => {
    const first = await openStore(urlOf('race'));
    await first.profileCache.putUsers('p', new Map([['7', { user: null, checkedAt: 1_800_000_000_000 }]]));
    await first.close();
    const second = await openStore(urlOf('race'));
    expect(await second.profileCache.getUser('p', '7')).toEqual({ user: null, checkedAt: 1_800_000_000_000 });
    await second.close();
  });

  it('that cannot be reached or refuses is named with its code, and never with its password', async () => {
    const dead = `postgres://postgres:${password}@127.0.0.1:1/deskside`;
    const cases: [string, string][] = [
      [
        urlOf('deskside', `${password}-wrong`),
        `PostgreSQL database deskside at 127.0.0.1:${server.port} cannot be used (28P01).`,
      ],
      [urlOf('missing'), `PostgreSQL database missing at 127.0.0.1:${server.port} cannot be used (3D000).`],
      [dead, 'PostgreSQL database deskside at 127.0.0.1:1 cannot be used (ECONNREFUSED).'],
    ];
    for (const [url, message] of cases) {
      const error: unknown = await openStore(url).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'StoreError', message });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(password);
    }
  });
});
