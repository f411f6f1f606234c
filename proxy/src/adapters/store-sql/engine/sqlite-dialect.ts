import type { Database, Statement } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Dialect, SqliteDialect, SqliteDriver } from 'kysely';
import { LRUCache } from 'lru-cache';
import { createKeyedMutex } from '#concurrency/keyed-mutex.ts';

/**
 * Kysely's SQLite dialect with three changes. Statements are prepared once instead of on every call. Transactions begin
 * `immediate`, because a transaction that starts by reading fails at its first write if another process has written
 * meanwhile. And this process's connections to one file wait for each other: SQLite waits for a lock by blocking the process, so
 * a connection would wait in vain for another's transaction, which cannot proceed either.
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
  readonly #file: string | null;
  #leave = () => {};

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], { name, memory }: Database) {
    super(config);
    this.#file = memory ? null : name;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#file !== null) this.#leave = await enter(this.#file);
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#leave();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Waits until nothing else in this process uses the file; calling the returned function lets the next one in. */
function enter(file: string): Promise<() => void> {
  return new Promise((entered) => {
    void fileMutex(file, () => new Promise<void>(entered));
  });
}
