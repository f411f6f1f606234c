import type { Database, Statement } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Dialect, SqliteDialect, SqliteDriver } from 'kysely';
import { LRUCache } from 'lru-cache';

/**
 * Kysely's SQLite dialect with two changes: statements are prepared once instead of at every call, and transactions
 * begin `immediate`, because a reader that becomes a writer inside a transaction fails at once where another process
 * has written meanwhile.
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
    createDriver: () => new ImmediateDriver(config),
    createQueryCompiler: () => stock.createQueryCompiler(),
    createAdapter: () => stock.createAdapter(),
    createIntrospector: (db) => stock.createIntrospector(db),
  };
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
