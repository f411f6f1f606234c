import Sqlite, { type Database } from 'better-sqlite3';
import { recordTables } from '#store/engine/migrate.ts';
import type { SqliteFile } from '#store/engine/sqlite.ts';
import { driverCode, formerStore, StoreError } from '#store/engine/store-error.ts';

/** How long a lock of the running proxy is waited for, in milliseconds. */
const busyMs = 5_000;

/** What a file of the store holds. `migration`: the last that has run. */
export interface FileContent {
  migration: string;
  rows: Record<string, number>;
}

/**
 * Opens a file that exists and does something with it, without migrating it.
 *
 * @throws StoreError if it is not one of ours, or the driver fails
 */
export async function withSqliteFile<T>(
  path: string,
  { applicationId }: SqliteFile,
  work: (database: Database) => T | Promise<T>,
): Promise<T> {
  let database: Database | null = null;
  try {
    database = new Sqlite(path, { fileMustExist: true, timeout: busyMs });
    if (database.pragma('application_id', { simple: true }) !== applicationId)
      throw new StoreError(`${path} is no file of Deskside, or not the one that belongs there.`);
    return await work(database);
  } catch (error) {
    if (error instanceof StoreError || !driverCode(error).startsWith('SQLITE_')) throw error;
    throw new StoreError(`${path} cannot be used (${driverCode(error)}).`);
  } finally {
    database?.close();
  }
}

/** Makes it a single file, with nothing in files beside it. False if another process has it open. */
export function makeSingle(database: Database): boolean {
  try {
    return database.pragma('journal_mode = delete', { simple: true }) === 'delete';
  } catch (error) {
    if (driverCode(error).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** Checks the whole file, and reads what is in it. Throws StoreError if it is damaged, or of 0.1. */
export function readContent(database: Database): FileContent {
  if (database.pragma('integrity_check(1)', { simple: true }) !== 'ok')
    throw new StoreError(`${database.name} is damaged.`);
  const { migrationTableName, migrationLockTableName } = recordTables;
  const names = namesIn(database);
  if (!names.includes(migrationTableName)) throw formerStore(database.name);
  const one = <T>(what: string, table: string) =>
    database.prepare<[], T>(`select ${what} from "${table}"`).pluck().get();
  const rows: Record<string, number> = {};
  for (const table of names)
    if (table !== migrationTableName && table !== migrationLockTableName)
      rows[table] = one<number>('count(*)', table) ?? 0;
  return { migration: one<string>('max(name)', migrationTableName) ?? '', rows };
}

/** The tables of an opened file, without SQLite's own. */
export function namesIn(database: Database): string[] {
  const query = `select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' order by name`;
  return database.prepare<[], string>(query).pluck().all();
}
