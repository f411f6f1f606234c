import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from './backup.ts';
import { openRecords, openStore } from './database.ts';
import { formerStoreDump } from './testing/former-store.ts';
import { startPostgres } from './testing/postgres-server.ts';

const sentence = ' was written by Deskside 0.1 or 0.2, which this version cannot read: it is left as it is;';

/** What could touch a store: a start, and what only looks into it. */
const uses: [string, (url: string) => Promise<unknown>][] = [
  ['opened', (url) => openStore(url)],
  ['looked into', (url) => openRecords(url)],
];

/** What there is for a store on SQLite alone: a backup is noted in it. */
const usesOfFile: typeof uses = [
  ...uses,
  ['backed up', (url) => backUp(url, join(newFolder(), 'deskside.db'), { clock: Date.now })],
];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-former-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.each(usesOfFile)('a store of 0.1 on SQLite that is %s is refused and stays as it is', async (_, use) => {
  const folder = newFolder();
  for (const name of ['state', 'cache'] as const) {
    const database = new Sqlite(join(folder, `${name}.db`));
    database.pragma('journal_mode = wal');
    database.exec(`begin;${formerStoreDump(`sqlite-${name}`)}commit`);
    database.close();
  }
  const bytes = () => ['cache.db', 'state.db'].map((name) => readFileSync(join(folder, name)).toString('base64'));
  const before = bytes();
  await expect(use(`file:${folder}`)).rejects.toThrow(sentence);
  expect(bytes()).toEqual(before);
  expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['cache.db', 'state.db']);
});

test('a store of 0.1 on PostgreSQL is refused and stays as it is', async () => {
  const server = await startPostgres('former');
  onTestFinished(() => server.stop(), 30_000);
  await server.createDatabase('former');
  const client = new pg.Client({ connectionString: server.urlOf('former') });
  await client.connect();
  await client.query(formerStoreDump('postgres'));
  const content = async () => {
    const tables = await client.query('select tablename from pg_tables where schemaname = current_schema() order by 1');
    const rows = await client.query<{ xml: string }>("select schema_to_xml('public', true, false, '')::text as xml");
    return [tables.rows, rows.rows];
  };
  const before = await content();
  for (const [, use] of uses) await expect(use(server.urlOf('former'))).rejects.toThrow(sentence);
  expect(await content()).toEqual(before);
  await client.end();
});

test.each(usesOfFile)('a store of 0.2 on SQLite that is %s is refused and stays as it is', async (_, use) => {
  const folder = newFolder();
  await (await openStore(`file:${folder}`)).close();
  const names = ['cache.db', 'state.db'].map((name) => join(folder, name));
  for (const name of names) {
    const database = new Sqlite(name);
    database.exec("update deskside_migration set name = '0001_baseline'");
    database.pragma('wal_checkpoint(truncate)');
    database.close();
  }
  const bytes = () => names.map((name) => readFileSync(name).toString('base64'));
  const before = bytes();
  await expect(use(`file:${folder}`)).rejects.toThrow(sentence);
  expect(bytes()).toEqual(before);
});
