import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnIn } from '#routing/round-robin.ts';
import { openStore } from './database.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import { moveStore } from './move-store.ts';
import * as notes from './notes.ts';
import { probe } from './notes.ts';
import { draftOf } from './testing/decision-draft.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';
import { putRecords } from './testing/records-to-purge.ts';

const team = turnIn('CS 60p', ['a', 'b', 'c']);
const folders: string[] = [];
let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await startPostgres('move');
});
afterAll(async () => {
  await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const onSqlite = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-move-'));
  folders.push(folder);
  return `file:${folder}`;
};
const onPostgres = async () => {
  databases += 1;
  await server.createDatabase(`move${databases}`);
  return server.urlOf(`move${databases}`);
};

/** Every row of every table, each as text, in an order that both databases have. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  const put = (table: string, rows: object[]) => {
    if (/_migration(_lock)?$/.test(table)) return;
    content[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  };
  if (url.startsWith('file:')) {
    for (const name of ['state.db', 'cache.db']) {
      const database = new Sqlite(join(url.slice('file:'.length), name));
      const tables = database.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
      for (const table of tables) put(table, database.prepare<[], object>(`select * from "${table}"`).all());
      database.close();
    }
    return content;
  }
  const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of tables.rows) put(name, (await client.query<object>(`select * from "${name}"`)).rows);
  await client.end();
  return content;
}

describe.each([
  ['SQLite to PostgreSQL', onSqlite, onPostgres],
  ['PostgreSQL to SQLite', onPostgres, onSqlite],
])('a move from %s', (_, placeFrom, placeTo) => {
  async function filled(): Promise<string> {
    const url = await placeFrom();
    const store = await openStore(url);
    await putRecords(store);
    for (let n = 0; n < 600; n += 1) await decisions.add(store.db, draftOf(`T${n}`), 0, team);
    await probe(store.db);
    await store.close();
    return url;
  }

  it('brings every row of every table, and numbers and turns go on', async () => {
    const from = await filled();
    const to = await placeTo();
    const before = await contentOf(from);
    expect(before.decisions?.length).toBeGreaterThan(600);
    const rows = await moveStore(from, to);
    expect(rows).toBe(Object.values(before).flat().length);
    expect(await contentOf(to)).toEqual(before);
    expect(await contentOf(from)).toEqual(before);
    const [old, moved] = [await openStore(from), await openStore(to)];
    const next = await decisions.add(old.db, draftOf('new'), 0, team);
    expect(await decisions.add(moved.db, draftOf('new'), 0, team)).toEqual(next);
    await Promise.all([old.close(), moved.close()]);
  });

  it('is refused into a place that has rows, which stay, and while a service works on the source', async () => {
    const from = await filled();
    const to = await placeTo();
    const store = await openStore(to);
    await notes.noteBackup(store.db, 1);
    await store.close();
    await expect(moveStore(from, to)).rejects.toThrow(/^The target is not empty: notes has rows\.$/);
    expect((await contentOf(to)).notes).toHaveLength(1);
    const busy = await openStore(from);
    await leases.take(busy, ['loops'], 'service', 10_000);
    await expect(moveStore(from, await placeTo())).rejects.toThrow(/is in use: stop the service first\.$/);
    await leases.release(busy, ['loops'], 'service');
    await busy.close();
    await moveStore(from, await placeTo());
  });
});

it('of a place without a store is refused', async () => {
  await expect(moveStore(await onSqlite(), await onPostgres())).rejects.toThrow(/^There is no \S+state\.db\.$/);
});

it('that fails leaves the state of the target empty, and can be repeated', async () => {
  const from = await onSqlite();
  const store = await openStore(from);
  for (let n = 0; n < 3; n += 1) await decisions.add(store.db, draftOf(`T${n}`), 0, team);
  await store.close();
  const to = await onPostgres();
  await (await openStore(to)).close();
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  // The last of its tables cannot take what comes.
  await client.query('alter table tickets add constraint fails check (active_at < 0)');
  await expect(moveStore(from, to)).rejects.toThrow();
  expect((await contentOf(to)).decisions).toEqual([]);
  await client.query('alter table tickets drop constraint fails');
  await client.end();
  await moveStore(from, to);
  expect(await contentOf(to)).toEqual(await contentOf(from));
});
