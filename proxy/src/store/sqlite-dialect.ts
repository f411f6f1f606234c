import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Dialect, SqliteDialect, SqliteDriver } from 'kysely';
import { LRUCache } from 'lru-cache';
import { createKeyedMutex } from '#runtime/concurrency.ts';
import { driverCode, StoreUnavailable } from './store-error.ts';

/**
 * Kysely's SQLite dialect with five changes. Statements are prepared once instead of on every call. Transactions begin
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
    createQueryCompiler: () => stock.createQueryCompiler(),
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
  while (since !== null && performance.now() - since > longestMs) await nextTurn();
  if (since !== null) return;
  since = performance.now();
  setImmediate(() => {
    since = null;
  });
}
