import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Sqlite, { type Database } from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';

/** An empty folder, which is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a store's file on a connection of its own for this work, and closes it. */
export function inFile<T>(path: string, work: (database: Database) => T): T {
  const database = new Sqlite(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Everything in a store's file, by table. */
export function rowsIn(path: string): Record<string, object[]> {
  return inFile(path, (database) => {
    const names = database.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
    return Object.fromEntries(
      names.map((name) => [name, database.prepare<[], object>(`select * from "${name}"`).all()]),
    );
  });
}

/** Overwrites a table's first page in a store's file; without a table that of the schema, apart from the file's header. */
export function damage(path: string, table: string | null): void {
  const { root, size } = inFile(path, (database) => {
    database.pragma('wal_checkpoint(truncate)');
    const pageOf = database
      .prepare<[string | null], number>('select rootpage from sqlite_master where name = ?')
      .pluck();
    return { root: pageOf.get(table) ?? 1, size: Number(database.pragma('page_size', { simple: true })) };
  });
  const bytes = readFileSync(path);
  bytes.fill(0xff, (root - 1) * size + (table === null ? 100 : 0), root * size);
  writeFileSync(path, bytes);
}

/** What a process that writes to the store has confirmed, in lines, until it is killed because that is enough. */
export async function writtenUntilKilled(
  url: string,
  prefix: string,
  members: readonly string[],
  isEnough: (lines: number) => boolean,
) {
  const script = fileURLToPath(new URL('write-until-killed.ts', import.meta.url));
  const options = { stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
  const child = spawn(process.execPath, [script, url, prefix, members.join()], options);
  const closed = once(child, 'close');
  const confirmed: string[] = [];
  for await (const line of createInterface(child.stdout)) if (isEnough(confirmed.push(line))) child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  return confirmed;
}
