import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { pagesAtOnce } from './back-up.ts';
import { folderOf, isPostgres } from './database-url.ts';
import { giveToOwner } from './folder-owner.ts';
import { makeFolders, whoMayWrite } from './folders.ts';
import { inUse, makeSingle, requireSound, withState } from './state-file.ts';
import { driverCode, isFull, StoreError } from './store-error.ts';
import { stateDb } from './store-files.ts';

/**
 * Puts a backup in the place of a store on SQLite that nobody has open. SQLite itself writes it over the store's file, in one
 * transaction: whatever ends it leaves the one store or the other. What a crash had left beside the file is gone by then.
 *
 * @throws StoreError with one sentence that says what is wrong; the store is then as it was
 */
export async function restore(databaseUrl: string, file: string): Promise<void> {
  if (isPostgres(databaseUrl)) throw new StoreError('The store is on PostgreSQL: restore it with pg_restore.');
  const target = join(folderOf(databaseUrl), stateDb.name);
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
