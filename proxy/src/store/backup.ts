import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { giveToOwner, makeFolders, whoMayWrite } from '#runtime/folders.ts';
import type { Clock } from '#runtime/memory.ts';
import { folderOf, isMigrated, isPostgres, openStore, recordTables, stateFile } from './database.ts';
import { driverCode, isFull, StoreError } from './engine.ts';
import { noteBackup } from './notes.ts';
import type { StateDb } from './schema.ts';
import { applicationId, sqliteDialect } from './sqlite.ts';

/** Pages per step of SQLite's online backup: 64 MB. */
const pagesAtOnce = 8_192;

/**
 * Backs up what must not be lost of a store on SQLite into one file, as it is at one moment, while the service works on it.
 * The file replaces an older backup once it is whole. The store remembers when it was last backed up.
 *
 * @throws StoreError with one sentence that says what is wrong
 */
export async function backUp(databaseUrl: string, file: string, { clock }: { clock: Clock }): Promise<void> {
  if (isPostgres(databaseUrl)) throw new StoreError('The store is on PostgreSQL: back it up with pg_dump.');
  const source = stateFile(databaseUrl);
  const target = resolve(file);
  if (!existsSync(source)) throw new StoreError(`There is no store in ${folderOf(databaseUrl)}.`);
  await withState(source, { readonly: false }, async (database, db) => {
    await refuseToReplace(target, source);
    await makeWhole(target, (partial) => copy(database, partial));
    await noteBackup(db, clock());
  });
}

/** Only an older backup is replaced: neither the store itself, nor a file that is something else. */
async function refuseToReplace(target: string, source: string): Promise<void> {
  if (!existsSync(target)) return;
  const [there, own] = [statSync(target), statSync(source)];
  if (there.ino === own.ino && there.dev === own.dev) throw new StoreError(`${target} is the store itself.`);
  await withState(target, { readonly: true }, () => {}).catch(() => {
    throw new StoreError(`${target} is there and is no backup of this version; choose another file.`);
  });
}

/** A reading transaction around it: otherwise every write of the service meanwhile would make SQLite begin again. */
async function copy(database: Database, partial: string): Promise<void> {
  database.exec('begin');
  try {
    database.prepare('select count(*) from sqlite_master').get();
    await database.backup(partial, { progress: () => pagesAtOnce });
  } finally {
    database.exec('rollback');
  }
  await withState(partial, { readonly: false }, (copy) => {
    requireSound(copy);
    makeSingle(copy);
  });
}

/**
 * Makes a file that only its owner can read: under another name until it is whole and on the disk, so that what has the name
 * is never half of it.
 */
async function makeWhole(target: string, fill: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${target}.partial`;
  try {
    for (const left of ['', '-journal', '-wal', '-shm']) rmSync(partial + left, { force: true });
    closeSync(openSync(partial, 'wx', 0o600));
    giveToOwner(partial);
    await fill(partial);
    chmodSync(partial, 0o600);
    sync(partial);
    renameSync(partial, target);
    sync(dirname(target));
  } catch (error) {
    if (existsSync(partial)) rmSync(partial);
    const code = driverCode(error);
    if (isFull(code)) throw new StoreError(`${target} cannot be written: the disk is full.`);
    if (code === 'ENOENT') throw new StoreError(`${target} cannot be written: there is no folder ${dirname(target)}.`);
    const isOfSystem = code !== 'unknown' && (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isOfSystem ? new StoreError(`${target} cannot be written (${code}).${whoMayWrite(target)}`) : error;
  }
}

/** Waits until a file, or the entries of a folder, are on the disk. */
function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/**
 * Puts a backup in the place of a store on SQLite that nobody has open. SQLite itself writes it over the store's file, in one
 * transaction: whatever ends it leaves the one store or the other. What a crash had left beside the file is gone by then.
 *
 * @throws StoreError with one sentence that says what is wrong; the store is then as it was
 */
export async function restore(databaseUrl: string, file: string): Promise<void> {
  if (isPostgres(databaseUrl)) throw new StoreError('The store is on PostgreSQL: restore it with pg_restore.');
  const target = stateFile(databaseUrl);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new StoreError(`${resolve(file)} is a folder: give the file that "deskside backup" made.`);
  if (resolve(file) === target) throw new StoreError(`${target} is the store itself.`);
  await withState(resolve(file), { readonly: true }, async (backup) => {
    requireSound(backup);
    try {
      makeFolders(dirname(target));
      if (existsSync(target) && !isFree(target)) throw inUse(target);
      for (const left of ['-wal', '-shm']) rmSync(target + left, { force: true });
      if (!existsSync(target)) {
        closeSync(openSync(target, 'wx', 0o600));
        giveToOwner(target);
      }
      await backup.backup(target, { progress: () => pagesAtOnce });
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const why = isFull(driverCode(error)) ? 'the disk is full' : driverCode(error);
      throw new StoreError(`${target} cannot be written (${why}).${whoMayWrite(target)}`);
    }
  });
}

/** Whether nobody has the file open; its log is then in it. One that is no database any more is taken away. */
function isFree(path: string): boolean {
  let database: Sqlite.Database | null = null;
  try {
    database = new Sqlite(path, { fileMustExist: true, timeout: 1_000 });
    return makeSingle(database);
  } catch (error) {
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(driverCode(error))) throw error;
    rmSync(path);
    return true;
  } finally {
    database?.close();
  }
}

/**
 * Copies every row of a store on SQLite into one on PostgreSQL, whose tables are empty or made by this: in one transaction, so
 * that it can be run again should it fail. The source stays. Gives how many rows there were.
 *
 * @throws StoreError if a service works on the source, or the target is not empty
 */
export async function moveStore(from: string, to: string): Promise<number> {
  if (isPostgres(from) || !isPostgres(to))
    throw new StoreError('A store can be moved from SQLite to PostgreSQL alone.');
  const source = stateFile(from);
  return withState(source, { readonly: false }, async (database) => {
    if (!makeSingle(database)) throw inUse(source);
    const target = await openStore(to);
    try {
      return await target.db.transaction().execute((trx) => copyRows(database, trx));
    } finally {
      await target.close();
    }
  });
}

async function copyRows(from: Database, to: StateDb): Promise<number> {
  const all = from.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
  const ours = all.filter((name) => !Object.values(recordTables).includes(name));
  let copied = 0;
  for (const name of ours) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(to);
    if (rows.length > 0) throw new StoreError(`The target is not empty: ${name} has rows.`);
    for (const row of from.prepare<[], object>(`select * from "${name}"`).iterate()) {
      const columns = Object.keys(row).map((column) => sql.ref(column));
      // Ids are kept: other rows and people's notes name them.
      await sql`insert into ${sql.table(name)} (${sql.join(columns)}) overriding system value
        values (${sql.join(Object.values(row))})`.execute(to);
      copied += 1;
    }
  }
  // The next decision is numbered after those that came with their numbers.
  await sql`select setval(pg_get_serial_sequence('decisions', 'id'), max(id)) from decisions
    having max(id) is not null`.execute(to);
  return copied;
}

/** How long a lock of the service is waited for, in milliseconds. */
const busyMs = 5_000;

/**
 * Opens a file that holds the state of a store, without bringing its tables up to date, and does something with it.
 *
 * @throws StoreError if it is none, not one that this version can read, or the driver fails
 */
async function withState<T>(
  path: string,
  { readonly }: { readonly: boolean },
  work: (database: Database, db: StateDb) => T | Promise<T>,
): Promise<T> {
  if (!existsSync(path)) throw new StoreError(`There is no ${path}.`);
  let database: Database | null = null;
  try {
    database = new Sqlite(path, { fileMustExist: true, readonly, timeout: busyMs });
    if (database.pragma('application_id', { simple: true }) !== applicationId) throw noStore(path);
    const db: StateDb = new Kysely({ dialect: sqliteDialect(database) });
    await isMigrated(db, path);
    return await work(database, db);
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
function requireSound(database: Database): void {
  if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged(database.name);
}

/**
 * Makes it a single file, with everything in it that a crash has left beside it. SQLite does so only while nobody else has
 * the file open: false if somebody has, as a service does for as long as it runs.
 */
function makeSingle(database: Database): boolean {
  try {
    return database.pragma('journal_mode = delete', { simple: true }) === 'delete';
  } catch (error) {
    if (driverCode(error).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

function inUse(place: string): StoreError {
  return new StoreError(`${place} is in use: stop the service first.`);
}

function noStore(path: string): StoreError {
  return new StoreError(`${path} is no store of Deskside's.`);
}

function damaged(path: string): StoreError {
  return new StoreError(`${path} is damaged.`);
}
