import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Clock } from '#runtime/memory.ts';
import { folderOf, isPostgres } from './database-url.ts';
import { giveToOwner } from './folder-owner.ts';
import { whoMayWrite } from './folders.ts';
import { noteBackup } from './notes.ts';
import type { StateSchema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { makeSingle, requireSound, withState } from './state-file.ts';
import { driverCode, isFull, StoreError } from './store-error.ts';
import { stateDb } from './store-files.ts';

/** Pages per step of SQLite's online backup: 64 MB. */
export const pagesAtOnce = 8_192;

/**
 * Backs up what must not be lost of a store on SQLite into one file, as it is at one moment, while the service works on it.
 * The file replaces an older backup once it is whole. The store remembers when it was last backed up.
 *
 * @param how.beside files that are copied beside it, by the ending that they get there
 * @throws StoreError with one sentence that says what is wrong
 */
export async function backUp(
  databaseUrl: string,
  file: string,
  { clock, beside = {} }: { clock: Clock; beside?: Record<string, string> },
): Promise<void> {
  if (isPostgres(databaseUrl)) throw new StoreError('The store is on PostgreSQL: back it up with pg_dump.');
  const folder = folderOf(databaseUrl);
  const source = join(folder, stateDb.name);
  const target = resolve(file);
  if (!existsSync(source)) throw new StoreError(`There is no store in ${folder}.`);
  await withState(source, { readonly: false }, async (database) => {
    await refuseToReplace(target, source);
    for (const [ending, path] of Object.entries(beside))
      await makeWhole(target + ending, (partial) => copyFileSync(path, partial));
    await makeWhole(target, (partial) => copy(database, partial));
    await noteBackup(new Kysely<StateSchema>({ dialect: sqliteDialect(database) }), clock());
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
  await withState(partial, { readonly: false }, (made) => {
    requireSound(made);
    makeSingle(made);
  });
}

/**
 * Makes a file that only its owner can read: under another name until it is whole and on the disk, so that what has the name
 * is never half of it.
 */
async function makeWhole(target: string, fill: (partial: string) => Promise<void> | void): Promise<void> {
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
