import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { recordTables, refusedName } from './migrate.ts';
import { stateFile } from './sqlite.ts';
import { driverCode, formerStore, newerStore, StoreError } from './store-error.ts';
import { migrationsOf } from './store-files.ts';

/** How long a lock of the service is waited for, in milliseconds. */
const busyMs = 5_000;

/**
 * Opens a file that holds the state of a store, without bringing its tables up to date, and does something with it.
 *
 * @throws StoreError if it is none, not one that this version can read, or the driver fails
 */
export async function withState<T>(
  path: string,
  { readonly }: { readonly: boolean },
  work: (database: Database) => T | Promise<T>,
): Promise<T> {
  if (!existsSync(path)) throw new StoreError(`There is no ${path}.`);
  let database: Database | null = null;
  try {
    database = new Sqlite(path, { fileMustExist: true, readonly, timeout: busyMs });
    if (database.pragma('application_id', { simple: true }) !== stateFile.applicationId) throw noStore(path);
    refuseOtherVersion(database, path);
    return await work(database);
  } catch (error) {
    const code = driverCode(error);
    if (code === 'SQLITE_NOTADB') throw noStore(path);
    if (code.startsWith('SQLITE_CORRUPT')) throw damaged(path);
    throw code.startsWith('SQLITE_') ? new StoreError(`${path} cannot be used (${code}).`) : error;
  } finally {
    database?.close();
  }
}

/** Looks for damage in all of it. Throws StoreError. */
export function requireSound(database: Database): void {
  if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged(database.name);
}

/**
 * Makes it a single file, with everything in it that a crash has left beside it. SQLite does so only while nobody else has
 * the file open: false if somebody has, as a service does for as long as it runs.
 */
export function makeSingle(database: Database): boolean {
  try {
    return database.pragma('journal_mode = delete', { simple: true }) === 'delete';
  } catch (error) {
    if (driverCode(error).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

export function inUse(place: string): StoreError {
  return new StoreError(`${place} is in use: stop the service first.`);
}

function refuseOtherVersion(database: Database, path: string): void {
  const { migrationTableName: table } = recordTables;
  const isThere = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table);
  if (!isThere) throw formerStore(path);
  const names = database.prepare<[], string>(`select name from "${table}"`).pluck().all();
  if (names.includes(refusedName)) throw formerStore(path);
  const known = migrationsOf('sqlite');
  if (names.some((name) => !(name in known))) throw newerStore(path);
}

function noStore(path: string): StoreError {
  return new StoreError(`${path} is no store of Deskside's.`);
}

function damaged(path: string): StoreError {
  return new StoreError(`${path} is damaged.`);
}
