import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { OrgId } from '@deskside/shared/orgid';
import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from './backup.ts';
import { openRecords, openStore, type Store } from './database.ts';
import { standingWords } from './desk-list.ts';
import { StoreUnavailable } from './engine.ts';
import * as leases from './leases.ts';
import { probe } from './notes.ts';
import * as profileCache from './profile-cache.ts';
import { namesSubject, purge } from './purge.ts';
import * as rejections from './rejections.ts';
import { openSqlite, sqliteDialect } from './sqlite.ts';
import { memoryStore } from './testing/memory-store.ts';
import { damage, inFile, temporaryFolder } from './testing/state-file.ts';

const orgId = OrgId.parse('200000001');
let folder: string;
const stores: Store[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function open(): Promise<Store> {
  const store = await openStore(`file:${folder}`);
  stores.push(store);
  return store;
}

const file = () => join(folder, 'state.db');

describe('the file', () => {
  it('is made in a folder that does not exist yet, for its owner alone, with what SQLite puts beside it', async () => {
    const inner = join(folder, 'a', 'b');
    const store = await openStore(`file://${inner}`);
    stores.push(store);
    await probe(store.db);
    for (const end of ['', '-wal', '-shm']) expect(statSync(join(inner, `state.db${end}`)).mode & 0o777).toBe(0o600);
  });

  it('has tables that refuse values of a wrong type', async () => {
    await (await openStore(`file:${folder}`)).close();
    const insert = "insert into crm_cache values ('p', 'user', '1', null, 'null', 1, 'not a time', null, null)";
    expect(() => inFile(file(), (database) => database.exec(insert))).toThrow(
      'cannot store TEXT value in INTEGER column',
    );
  });
});

it('keeps nothing of what was purged in the log beside the file', async () => {
  const { db } = await open();
  const address = 'lan.nguyen@shop.example';
  const ticket = { name: '1', creation: '2026-11-20 12:00:00.000001' };
  const said = { ticket, sender: address, orgId, crmCompanyId: null, companyName: null, agent: 'an', at: 1 };
  await rejections.record(db, { ...said, reason: { code: 'other', note: '' } });
  const log = () => readFileSync(`${file()}-wal`).toString('latin1');
  expect(log()).toContain(address);
  await purge(db, { tickets: [], names: namesSubject({ kind: 'email', value: address }, []), now: 2, isDry: false });
  expect(log()).not.toContain(address);
});

describe('what passes is told as a store that is away, as by PostgreSQL', () => {
  it('a lock of another connection that is not let go', async () => {
    const { db, clock } = await open();
    const other = new Sqlite(join(folder, 'state.db'));
    other.exec('begin immediate');
    const refused = { name: 'StoreUnavailable', code: 'SQLITE_BUSY' };
    await expect(leases.take({ db, clock }, ['k'], 'o', 1_000)).rejects.toMatchObject(refused);
    other.exec('rollback');
    other.close();
    expect(await leases.take({ db, clock }, ['k'], 'o', 1_000)).toEqual(new Set(['k']));
  });

  it('a disk that is full, within a transaction too', async () => {
    const file = join(folder, 'full.db');
    const db = new Kysely<unknown>({ dialect: openSqlite(file).dialect });
    const run = (sql: string) => db.executeQuery(CompiledQuery.raw(sql));
    await run('create table t (x text)');
    await run('pragma max_page_count = 4');
    const fill = `insert into t select hex(randomblob(20000)) from (values (1), (2), (3))`;
    const full = { name: 'StoreUnavailable', code: 'SQLITE_FULL' };
    await expect(run(fill)).rejects.toMatchObject(full);
    const within = db.transaction().execute((tx) => tx.executeQuery(CompiledQuery.raw(fill)));
    await expect(within).rejects.toMatchObject(full);
    await run('pragma max_page_count = 1000');
    await run(fill);
    await db.destroy();
  });

  it('and nothing else: a mistake of ours stays one', async () => {
    const db = new Kysely<unknown>({ dialect: openSqlite(join(folder, 'other.db')).dialect });
    const wrong = db.executeQuery(CompiledQuery.raw('select * from nothing'));
    await expect(wrong).rejects.not.toThrow(StoreUnavailable);
    await db.destroy();
  });
});

it.each(['not json', '{}', '{"companies":[{"fields":{}}],"answeredAt":{}}', '{"id":7}'])(
  'a row of the cache that holds %s counts as absent',
  async (json) => {
    const { db, database } = memoryStore();
    const insert = database.prepare("insert into crm_cache values ('p', ?, ?, null, ?, 1, 1, null, ?)");
    insert.run('company', orgId, json, json);
    insert.run('user', '7', json, null);
    expect(await profileCache.getCompanies(db, 'p', [orgId])).toEqual(new Map());
    expect(await profileCache.getUser(db, 'p', '7')).toBeNull();
  },
);

describe('a start is refused with one sentence', () => {
  const writeIn = (text: string) => {
    mkdirSync(folder);
    writeFileSync(file(), text);
  };
  const foreign = () => {
    mkdirSync(folder);
    inFile(file(), (database) => database.exec('create table letters (text)'));
  };

  it.each(['./data', 'file:', 'file://host/data', 'mysql://user:secret@host/db', 'postgres://user:secret@ho st/db'])(
    'for the address %s, without quoting a password',
    async (url) => {
      await expect(openStore(url)).rejects.toThrow(/^The database must be given as file:<folder>/);
      await expect(openStore(url)).rejects.not.toThrow('secret');
    },
  );

  it.each<[string, () => void, string]>([
    ['folder is below a file', () => writeFileSync(folder, ''), 'cannot be opened for writing (ENOTDIR).'],
    ['file is a folder', () => mkdirSync(file(), { recursive: true }), 'cannot be opened for writing (EISDIR).'],
    ['file is not of SQLite', () => writeIn('a letter\n'.repeat(200)), 'is not a SQLite file; choose another folder.'],
    ["file is another program's", foreign, 'belongs to another program; choose another folder.'],
  ])('where the %s, which stays as it was', async (_, make, sentence) => {
    rmSync(folder, { recursive: true });
    make();
    const before = statSync(file(), { throwIfNoEntry: false })?.isFile() ? readFileSync(file()) : null;
    await expect(open()).rejects.toThrow(`${file()} ${sentence}`);
    if (before) expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it.each([
    ['schema', null],
    ['migrations', 'deskside_migration'],
  ])('where the %s are damaged', async (_, table) => {
    await (await openStore(`file:${folder}`)).close();
    damage(file(), table);
    await expect(open()).rejects.toThrow(/is damaged; restore its last backup/);
  });

  it.each([
    ['a newer version', "insert into deskside_migration values ('0099_future', '')", /was written by a newer version/],
    [
      '0.2',
      "update deskside_migration set name = '0001_baseline' where name = '0001_store'",
      /was written by Deskside 0\.1 or 0\.2,/,
    ],
    ['0.1', 'create table pipeline_migration_lock (id text)', /was written by Deskside 0\.1 or 0\.2,/],
  ])('where %s has written, and nothing is changed or left locked', async (_, change, sentence) => {
    await (await openStore(`file:${folder}`)).close();
    const database = new Sqlite(file());
    database.exec(change);
    database.pragma('wal_checkpoint(truncate)');
    const before = readFileSync(file());
    const backUpInto = (url: string) => backUp(url, join(folder, 'backup.db'), { clock: Date.now });
    for (const use of [openStore, openRecords, backUpInto])
      await expect(use(`file:${folder}`)).rejects.toThrow(sentence);
    expect(readFileSync(file()).equals(before)).toBe(true);
    database.exec("insert into notes values ('a', '{}', 1)");
    database.close();
  });
});

it('a store with two answers for an org id is brought up to date: they go, and all else stays', async () => {
  await (await openStore(`file:${folder}`)).close();
  inFile(file(), (database) => {
    database.exec("delete from deskside_migration where name <> '0001_store'");
    database.exec('drop index syncs_listed');
    database.exec('alter table crm_cache drop column payloads');
    for (const column of [
      'syncs drop column linked_at',
      'syncs drop column signed_in',
      'rejections drop column signed_in',
    ])
      database.exec(`alter table ${column}`);
    database.exec(
      "insert into syncs values ('s', 'sync', '1', 'c', 'an', '7', '63', 'x', '{\"customer\":null,\"changes\":[]}', 'lan@shop.example', null, 5, null)",
    );
    const insert = database.prepare("insert into crm_cache values ('p', ?, ?, ?, ?, 1, 1, null)");
    for (const kind of ['company_id_then_platform_orgid', 'platform_orgid_then_company_id'])
      insert.run(kind, orgId, '63002', '[]');
    insert.run('also', `company_id_then_platform_orgid ${orgId} 63003`, '63003', '{}');
    insert.run('user', '7', null, 'null');
    database.exec("insert into turns values ('CS 60p', 'an@desk.example')");
  });
  const { db } = await open();
  expect(await db.selectFrom('crm_cache').selectAll().execute()).toMatchObject([{ kind: 'user', key: '7' }]);
  expect(await db.selectFrom('turns').selectAll().execute()).toHaveLength(1);
  // A Sync of before was linked, and counts as one on a ticket that was not signed in.
  const { synced, said } = await standingWords(db, { name: '1', creation: 'c' }, 'lan@shop.example');
  for (const sync of [synced, ...said]) expect(sync).toMatchObject({ id: 's', signedIn: false, linkedAt: 5 });
  expect(said).toHaveLength(1);
  const answer = { companies: [], answeredAt: { UF_CRM_COMPANY_ID: 1 }, checkedAt: 1, payloads: {} };
  await profileCache.putCompanies(db, 'p', new Map([[orgId, answer]]), 1);
  expect((await profileCache.getCompanies(db, 'p', [orgId])).size).toBe(1);
});

describe('several processes', () => {
  it('wait for one that is just making the file', async () => {
    const maker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const Sqlite = require(workerData.sqlite);
       const database = new Sqlite(workerData.path);
       database.exec('begin immediate');
       parentPort.postMessage('locked');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
       database.exec('rollback');
       database.close();`,
      {
        eval: true,
        workerData: { path: file(), sqlite: createRequire(import.meta.url).resolve('better-sqlite3') },
      },
    );
    const ended = once(maker, 'exit');
    await once(maker, 'message');
    await probe((await open()).db);
    expect(await ended).toEqual([0]);
  });

  it('may start on one new file at the same moment', async () => {
    const module = JSON.stringify(new URL('./database.ts', import.meta.url).href);
    const notes = JSON.stringify(new URL('./notes.ts', import.meta.url).href);
    const script = `const { openStore } = await import(${module});
      const { probe } = await import(${notes});
      const next = (said) => {
        process.stdout.write(said);
        return new Promise((resolve) => process.stdin.once('data', resolve));
      };
      await next('ready');
      const store = await openStore(${JSON.stringify(`file:${folder}`)});
      await next('open');
      await probe(store.db);
      await store.close();
      process.stdin.destroy();`;
    const children = Array.from({ length: 2 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'pipe'] }),
    );
    const ends = children.map(async (child) => {
      const [errors, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
      return { code, errors: Buffer.concat(errors).toString() };
    });
    // Nobody writes before all have started: a store that serves waits for a lock half a second and no longer.
    for (const _ of ['ready', 'open']) {
      await Promise.all(children.map((child, nth) => Promise.race([once(child.stdout, 'data'), ends[nth]])));
      for (const { stdin } of children) stdin.write('go');
    }
    expect(await Promise.all(ends)).toEqual(children.map(() => ({ code: 0, errors: '' })));
    const probes = inFile(file(), (made) => made.prepare("select at from notes where key = 'probe'").pluck().get());
    expect(probes).toBe(2);
  });
});

describe('the dialect', () => {
  it('takes the write lock when a transaction begins, not at its first write', async () => {
    await (await openStore(`file:${folder}`)).close();
    const db = new Kysely<unknown>({ dialect: sqliteDialect(new Sqlite(file())) });
    const other = new Sqlite(file(), { timeout: 0 });
    await db.transaction().execute(async () => {
      expect(() => other.exec('begin immediate')).toThrow('database is locked');
    });
    other.close();
    await db.destroy();
  });

  it('gives everything else its turn between statements, and none within a transaction', async () => {
    const db = new Kysely<unknown>({ dialect: sqliteDialect(new Sqlite(join(folder, 'any.db'))) });
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    // Many milliseconds.
    const long = CompiledQuery.raw(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select max(i) from n',
    );
    for (let i = 0; i < 5; i += 1) await db.executeQuery(long);
    expect(turns).toBeGreaterThanOrEqual(4);
    await db.transaction().execute(async (trx) => {
      const before = turns;
      for (let i = 0; i < 5; i += 1) await trx.executeQuery(long);
      expect(turns).toBe(before);
    });
    clearImmediate(next);
    await db.destroy();
  });
});
