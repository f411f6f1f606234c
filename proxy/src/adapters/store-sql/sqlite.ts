import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import type { Engine } from './engine.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { driverCode, StoreError } from './store-error.ts';

/** What a file holds, and so what may happen to it. */
export interface SqliteFile {
  /** Marks the file as ours in its header, so that another program's file is never written to. */
  applicationId: number;
  pragmas: Readonly<Record<string, number>>;
  /** How a person gets out of it when the file is damaged. */
  remedy: (path: string) => string;
}

/**
 * Answers that can be asked for again ("DSKC"). `synchronous=NORMAL` may lose the last seconds at a power cut, which a
 * cache can afford; it never damages the file.
 */
export const cacheFile: SqliteFile = {
  applicationId: 0x44534b43,
  pragmas: { synchronous: 1, mmap_size: 268_435_456 },
  remedy: (path) => `it is only a cache, so delete it (with ${path}-wal and -shm) and start again`,
};

/** What nobody can tell us again ("DSKS"): with `synchronous=FULL` a write that was confirmed survives a power cut. */
export const stateFile: SqliteFile = {
  applicationId: 0x44534b53,
  pragmas: { synchronous: 2, mmap_size: 0 },
  remedy: (path) => `put the last backup of it in its place (without ${path}-wal and -shm) and start again`,
};

/** How long a statement waits for another process's lock, in milliseconds. It blocks the whole process meanwhile. */
const busyTimeout = { atStart: 5_000, serving: 500 };

/** Set at every start and read back, with those of the file. */
const pragmas: Readonly<Record<string, string | number>> = {
  journal_mode: 'wal',
  foreign_keys: 1,
  trusted_schema: 0,
  cache_size: -65_536,
  journal_size_limit: 67_108_864,
};

/**
 * Opens a file of the store, which is created with mode 0600 where it is missing.
 *
 * @throws StoreError for a file that is unwritable, damaged, in use, or not ours
 */
export function openSqlite(path: string, file: SqliteFile): Engine {
  const database = openFile(path, file);
  try {
    checkOwner(database, path, file);
    setPragmas(database, path, { ...pragmas, ...file.pragmas });
    if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged(path, file);
  } catch (error) {
    database.close();
    throw explain(error, path, file);
  }
  return {
    name: 'sqlite',
    dialect: sqliteDialect(database),
    async exclusively(work) {
      // There is one connection, so all that Kysely does meanwhile is inside this transaction, and a second process
      // waits at its begin. Kysely's own migration lock does nothing on SQLite.
      try {
        database.exec('begin immediate');
        await work();
        database.pragma(`application_id = ${file.applicationId}`);
        database.exec('commit');
        database.pragma(`busy_timeout = ${busyTimeout.serving}`);
      } catch (error) {
        if (database.inTransaction) database.exec('rollback');
        throw driverCode(error).startsWith('SQLITE_') ? explain(error, path, file) : error;
      }
    },
    async abandon() {
      database.close();
    },
  };
}

function openFile(path: string, file: SqliteFile): Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    return new Sqlite(path, { timeout: busyTimeout.atStart });
  } catch (error) {
    throw explain(error, path, file);
  }
}

function checkOwner(database: Database, path: string, { applicationId }: SqliteFile): void {
  const id = database.pragma('application_id', { simple: true });
  const tables = database.prepare<[], number>('select count(*) from sqlite_master').pluck().get();
  if (id === applicationId || (id === 0 && tables === 0)) return;
  throw new StoreError(`${path} belongs to another program; choose another folder.`);
}

function setPragmas(database: Database, path: string, wanted: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(wanted)) {
    database.pragma(`${name} = ${value}`);
    const found = database.pragma(name, { simple: true });
    if (found === value) continue;
    throw new StoreError(`${path} cannot be used: SQLite answers ${name}=${found} where ${value} is needed.`);
  }
}

function damaged(path: string, { remedy }: SqliteFile): StoreError {
  return new StoreError(`${path} is damaged; ${remedy(path)}.`);
}

function explain(error: unknown, path: string, file: SqliteFile): StoreError {
  if (error instanceof StoreError) return error;
  const code = driverCode(error);
  if (code === 'SQLITE_NOTADB') return new StoreError(`${path} is not a SQLite file; choose another folder.`);
  if (code.startsWith('SQLITE_CORRUPT')) return damaged(path, file);
  if (code.startsWith('SQLITE_BUSY')) return new StoreError(`${path} is in use by another process.`);
  return new StoreError(`${path} cannot be opened for writing (${code}).`);
}
