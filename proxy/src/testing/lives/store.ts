import { type Dialect, Kysely } from 'kysely';
import type { StateDb } from '#store/schema.ts';
import { sqliteDialect } from '#store/sqlite.ts';
import { memoryStore } from '#store/testing/memory-store.ts';

/** One store for all lives, emptied before each: its statements are prepared once. */
export const { database } = memoryStore();
const dialect = sqliteDialect(database);
const tables = database
  .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'deskside%'")
  .pluck()
  .all();

// A purge takes decisions away, and not the turns that they took.
database.exec(`create temp table purged as select id, decision from decisions;
  create temp trigger on_purge after delete on decisions when old.number > 0
  begin insert into purged values (old.id, old.decision); end;
  create temp table turns_taken (team);
  create temp trigger on_turn after update of last_agent on turns begin insert into turns_taken values (old.team); end`);

/** Who opens the store: a process that may be killed. */
interface Opener {
  isDead: boolean;
}

/**
 * An empty store of several processes, which have its one connection one after the other, as SQLite has one writer. `gate`: what
 * each statement waits for.
 */
export function storeOf<Of extends Opener>(gate: (of: Of, statement: string) => Promise<void>) {
  let holder: Of | null = null;
  let queue: { of: Of; enter: () => void }[] = [];
  if (database.inTransaction) database.exec('rollback');
  for (const table of [...tables, 'purged', 'turns_taken']) database.exec(`delete from "${table}"`);

  function leave(): void {
    const next = queue.shift();
    holder = next?.of ?? null;
    next?.enter();
  }

  function enter(of: Of): Promise<void> {
    if (of.isDead) return new Promise(() => {});
    if (holder !== null) return new Promise((go) => void queue.push({ of, enter: go }));
    holder = of;
    return Promise.resolve();
  }

  const dialectFor = (of: Of): Dialect => ({
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver() {
      const driver = dialect.createDriver();
      return {
        init: () => driver.init(),
        destroy: async () => {},
        async acquireConnection() {
          await enter(of);
          const connection = await driver.acquireConnection();
          return {
            async executeQuery(query) {
              await gate(of, query.sql.slice(0, 40));
              return connection.executeQuery(query);
            },
            streamQuery: (...asked) => connection.streamQuery(...asked),
          };
        },
        beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
        commitTransaction: (connection) => driver.commitTransaction(connection),
        rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
        async releaseConnection(connection) {
          await driver.releaseConnection(connection);
          if (!of.isDead) leave();
        },
      };
    },
  });

  return {
    openedBy: (of: Of): StateDb => new Kysely({ dialect: dialectFor(of) }),
    /** Whoever was killed has it no more, and what it had begun is rolled back. */
    forget(dead: Of): void {
      queue = queue.filter(({ of }) => of !== dead);
      if (holder !== dead) return;
      if (database.inTransaction) database.exec('rollback');
      leave();
    },
  };
}
