import type { Database, Statement } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Dialect, SqliteDialect, SqliteDriver } from 'kysely';
import { LRUCache } from 'lru-cache';

/**
 * Kysely's SQLite dialect with three changes: statements are prepared once instead of at every call; transactions begin
 * `immediate`, because a reader that becomes a writer inside a transaction fails at once where another process has
 * written meanwhile; and connections of this process to one file take turns. SQLite waits for a lock by blocking the
 * process, so one connection would wait in vain for another's transaction, which cannot go on meanwhile.
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

/** The last in the queue of each file: settled when he is done. */
const queues = new Map<string, Promise<void>>();

class FileDriver extends SqliteDriver {
  readonly #file: string | null;
  #leave = () => {};

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], { name, memory }: Database) {
    super(config);
    this.#file = memory ? null : name;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#file !== null) this.#leave = await takeTurn(this.#file);
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#leave();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Waits until nobody else in this process uses the file; what is given back ends the turn. */
async function takeTurn(file: string): Promise<() => void> {
  const before = queues.get(file);
  const { promise, resolve } = Promise.withResolvers<void>();
  queues.set(file, promise);
  await before;
  return () => {
    if (queues.get(file) === promise) queues.delete(file);
    resolve();
  };
}
