import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { createKeyedMutex } from '#runtime/concurrency.ts';
import { giveToOwner, makeFolders, whoMayWrite } from '#runtime/folders.ts';
import { machine } from '#runtime/machine.ts';
import { driverCode, type Engine, isFull, StoreError, StoreUnavailable } from './engine.ts';

/** Marks the file as ours in its header ("DSKS"), so that we never write to another program's file. */
export const applicationId = 0x44534b53;

/** Of a new file: a decision is some 2 kB, of pages of 4 kB it fills one alone, and of these three share one (docs/data.md#tables). */
const pageSize = 8_192;

/** How long a statement waits for another process's lock, in milliseconds. The whole process is blocked meanwhile. */
const busyTimeout = { atStart: 5_000, serving: 500 };

/** Set at every start and read back. */
const pragmas: Readonly<Record<string, number>> = {
  // FULL: a confirmed write survives a power cut.
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  // What is deleted is overwritten, so that a purge leaves nothing in the file.
  secure_delete: 1,
  cache_size: -65_536,
  // So many pages are carried over from the log within one statement, which holds up everything else: SQLite's own 1,000, of
  // 8 kB, take 7 ms. What a ticket writes takes a twentieth longer for it.
  wal_autocheckpoint: 500,
  journal_size_limit: 67_108_864,
};

/**
 * Opens the file of a store; creates it with mode 0600 if it does not exist.
 *
 * @throws StoreError for a file that is unwritable, damaged, in use, or not ours
 */
export function openSqlite(path: string): Engine {
  const database = openFile(path);
  try {
    checkOwner(database, path);
    // Later the page size can no longer be chosen; a file that is there keeps its own.
    if (isEmpty(database)) database.pragma(`page_size = ${pageSize}`);
    useWriteAheadLog(database, path);
    setPragmas(database, path, pragmas);
  } catch (error) {
    database.close();
    throw explain(error, path);
  }
  return {
    name: 'sqlite',
    dialect: sqliteDialect(database),
    async withLock(work) {
      // There is only one connection, so everything Kysely does meanwhile is inside this transaction, and a second
      // process waits at its begin. Kysely's own migration lock does nothing on SQLite.
      try {
        database.exec('begin immediate');
        await work();
        database.pragma(`application_id = ${applicationId}`);
        database.exec('commit');
        database.pragma(`busy_timeout = ${busyTimeout.serving}`);
      } catch (error) {
        if (database.inTransaction) database.exec('rollback');
        // What is read from a damaged file makes no sense, in ways that do not say why.
        if (!looksSound(database)) throw damaged(path);
        throw driverCode(error).startsWith('SQLITE_') ? explain(error, path) : error;
      }
    },
    async abandon() {
      database.close();
    },
  };
}

function looksSound(database: Database): boolean {
  try {
    return database.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(driverCode(error))) return false;
    throw error;
  }
}

function isEmpty(database: Database): boolean {
  return database.prepare<[], number>('select count(*) from sqlite_master').pluck().get() === 0;
}

/**
 * Opens the file of a store for reading only; null if it does not exist.
 *
 * @throws StoreError
 */
export function lookIntoSqlite(path: string): Dialect | null {
  if (!existsSync(path)) return null;
  try {
    return sqliteDialect(new Sqlite(path, { readonly: true, fileMustExist: true, timeout: busyTimeout.atStart }));
  } catch (error) {
    throw explain(error, path);
  }
}

function openFile(path: string): Database {
  try {
    makeFolders(dirname(path));
    const isNew = !existsSync(path);
    closeSync(openSync(path, 'a', 0o600));
    if (isNew) giveToOwner(path);
    chmodSync(path, 0o600);
    return new Sqlite(path, { timeout: busyTimeout.atStart });
  } catch (error) {
    throw explain(error, path);
  }
}

function checkOwner(database: Database, path: string): void {
  // Of one moment: between two reads another process may have made the file ours.
  const isOurs = database.transaction(() => {
    const id = database.pragma('application_id', { simple: true });
    return id === applicationId || (id === 0 && isEmpty(database));
  })();
  if (isOurs) return;
  throw new StoreError(`${path} belongs to another program; choose another folder.`);
}

/** SQLite itself does not wait with this one: beside another process that is making the file it fails at once. */
function useWriteAheadLog(database: Database, path: string): void {
  for (const end = machine.elapsed() + busyTimeout.atStart; ; ) {
    try {
      setPragmas(database, path, { journal_mode: 'wal' });
      return;
    } catch (error) {
      if (!driverCode(error).startsWith('SQLITE_BUSY') || machine.elapsed() > end) throw error;
      // Opening is synchronous, and nothing else has begun.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function setPragmas(database: Database, path: string, desired: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(desired)) {
    database.pragma(`${name} = ${value}`);
    const found = database.pragma(name, { simple: true });
    if (found === value) continue;
    throw new StoreError(`${path} cannot be used: SQLite reports ${name}=${found}, but ${value} is required.`);
  }
}

function damaged(path: string): StoreError {
  return new StoreError(`${path} is damaged; restore its last backup ("deskside restore") and start again.`);
}

function explain(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = driverCode(error);
  if (code === 'SQLITE_NOTADB') return new StoreError(`${path} is not a SQLite file; choose another folder.`);
  if (code.startsWith('SQLITE_CORRUPT')) return damaged(path);
  if (code.startsWith('SQLITE_BUSY')) return new StoreError(`${path} is in use by another process.`);
  if (isFull(code)) return new StoreError(`${path} cannot be written: the disk is full.`);
  return new StoreError(`${path} cannot be opened for writing (${code}).${whoMayWrite(path)}`);
}

/**
 * With a bare `?` SQLite may plan a statement anew each time that it is run with other values, to see whether they suit a
 * partial index or say how many rows there are (https://sqlite.org/c3ref/prepare.html). As part of an expression a value is out
 * of its sight. What a partial index needs to be used stands in the text: `sql.lit`.
 */
class PlanOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/**
 * Kysely's SQLite dialect with six changes. Statements are prepared and planned once instead of on every call. Transactions begin
 * `immediate`, because a transaction that starts by reading fails at its first write if another process has written
 * meanwhile. And this process's connections to one file wait for each other: SQLite waits for a lock by blocking the process, so
 * a connection would wait in vain for another's transaction, which cannot proceed either. Everything else gets its turn between
 * them. Trouble of the machine, not of a statement, is a StoreUnavailable.
 */
export function sqliteDialect(database: Database): Dialect {
  const statements = new LRUCache<string, Statement<unknown[]>>({ max: 256 });
  const config = {
    database: {
      prepare(sql: string): Statement<unknown[]> {
        const known = statements.get(sql);
        if (known !== undefined) return known;
        const statement = database.prepare<unknown[]>(sql);
        statements.set(sql, statement);
        return statement;
      },
      close() {
        database.close();
      },
    },
  };
  const stock = new SqliteDialect(config);
  return {
    createDriver: () => new FileDriver(config, database),
    createQueryCompiler: () => new PlanOnceCompiler(),
    createAdapter: () => stock.createAdapter(),
    createIntrospector: (db) => stock.createIntrospector(db),
  };
}

/** By file, across all connections of this process to it. */
const fileMutex = createKeyedMutex();

class FileDriver extends SqliteDriver {
  readonly #database: Database;
  readonly #file: string | null;
  #leave = () => {};

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], database: Database) {
    super(config);
    this.#database = database;
    this.#file = database.memory ? null : database.name;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#file !== null) {
      this.#leave = await enter(this.#file);
      await giveWay();
    }
    const connection = await super.acquireConnection();
    return {
      executeQuery: (...args) => connection.executeQuery<never>(...args).catch(throwIfAway),
      streamQuery: (...args) => connection.streamQuery(...args),
    };
  }

  override async releaseConnection(): Promise<void> {
    this.#leave();
  }

  // What fails for lack of room has been rolled back by SQLite already.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Another process's lock that was waited for in vain, a full disk, a disk that fails or became read-only. */
const away = /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN)/;

function throwIfAway(error: unknown): never {
  const code = driverCode(error);
  throw away.test(code) ? new StoreUnavailable(code) : error;
}

/** Waits until nothing else in this process uses the file; calling the returned function lets the next one in. */
function enter(file: string): Promise<() => void> {
  return new Promise((entered) => {
    void fileMutex(file, () => new Promise<void>(entered));
  });
}

/** So long may a turn of the event loop have lasted, in milliseconds, when it begins another statement or transaction. */
const longestMs = 4;

let since: number | null = null;

/**
 * Waits for the next turn of the event loop if this one has lasted long already. A database in this process answers without ever
 * returning to the event loop, so whoever asks one thing after the other would hold up everything else. To be called before
 * each statement, but not within a transaction, which would keep its lock meanwhile.
 */
async function giveWay(): Promise<void> {
  while (since !== null && machine.elapsed() - since > longestMs) await machine.nextTurn();
  if (since !== null) return;
  since = machine.elapsed();
  void machine.nextTurn().then(() => {
    since = null;
  });
}
