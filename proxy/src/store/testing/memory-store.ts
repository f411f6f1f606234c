import Sqlite from 'better-sqlite3';
import { Kysely, type Selectable } from 'kysely';
import type { Clock } from '#runtime/memory.ts';
import { migrate } from '#store/database.ts';
import { decisionOf } from '#store/decisions.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';
import { sqliteDialect } from '#store/sqlite.ts';
import { type Adoption, adoptionOf, entryOf, type SyncEntry } from '#store/syncs.ts';

/** The store on SQLite in memory, with what tests look at. */
export type MemoryStore = ReturnType<typeof memoryStore>;

/** Migrated once: a copy of it is opened in a fifth of a millisecond. */
const template = await migrated();

async function migrated(): Promise<Buffer> {
  const database = new Sqlite(':memory:');
  // Most tables of a test are empty, and each is at least one page.
  database.pragma('page_size = 1024');
  const db: StateDb = new Kysely({ dialect: sqliteDialect(database) });
  await migrate(db);
  const bytes = database.serialize();
  await db.destroy();
  return bytes;
}

/**
 * A new, empty store. Needs no closing: it goes with whoever holds it. `database`: for a test that looks into its tables, or
 * has them fail.
 */
export function memoryStore(clock: Clock = Date.now) {
  const database = new Sqlite(template);
  database.pragma('foreign_keys = 1');
  const db: StateDb = new Kysely({ dialect: sqliteDialect(database) });
  const rowsOf = <Row>(query: string) => database.prepare<[], Row>(query).all();
  return {
    db,
    clock,
    database,
    /** What is in its tables, at the moment of asking. */
    rows: {
      /** Every decision, in the order in which they were made. */
      get decisions() {
        return rowsOf<{ id: number; decision: string }>(
          'select id, decision from decisions where number > 0 order by id',
        ).map(decisionOf);
      },
      /** When each ticket is due, in epoch milliseconds; null if nothing is left to do. */
      get work() {
        const rows = rowsOf<{ ticket: string; dueAt: number | null }>('select ticket, due_at as dueAt from tickets');
        return new Map(rows.map(({ ticket, dueAt }) => [ticket, { dueAt }]));
      },
      /** The names of those that wait or are being worked on. */
      get waiting() {
        return rowsOf<{ ticket: string }>('select ticket from tickets where due_at is not null').map(
          ({ ticket }) => ticket,
        );
      },
      /** The owner of each key. */
      get leases() {
        const rows = rowsOf<{ key: string; owner: string }>('select key, owner from leases');
        return new Map(rows.map(({ key, owner }) => [key, owner]));
      },
      /** When each org id was last checked. */
      get companies() {
        const rows = rowsOf<{ orgId: string; checkedAt: number }>(
          "select key as orgId, checked_at as checkedAt from crm_cache where kind = 'company'",
        );
        return new Map(rows.map(({ orgId, checkedAt }) => [orgId, { checkedAt }]));
      },
      /** Every sync, in the order in which they were written, undone or not. */
      get syncs(): SyncEntry[] {
        return rowsOf<Row>("select * from syncs where kind = 'sync' order by rowid").map(entryOf);
      },
      /** Every adoption, likewise. */
      get adoptions(): Adoption[] {
        return rowsOf<Row>("select * from syncs where kind = 'adoption' order by rowid").map(adoptionOf);
      },
    },
  };
}

type Row = Selectable<StateSchema['syncs']>;

/** Keeps what these tables hold now. Calling what it gives brings them back to that. */
export function keepTables({ database }: MemoryStore, ...tables: string[]): () => void {
  const kept = tables.map((table) => database.prepare<[], object>(`select * from "${table}"`).all());
  return () => {
    for (const [index, table] of tables.entries()) {
      database.exec(`delete from "${table}"`);
      for (const row of kept[index] ?? []) {
        const columns = Object.keys(row);
        const sql = `insert into "${table}" (${columns.map((column) => `"${column}"`)}) values (${columns.map(() => '?')})`;
        database.prepare(sql).run(Object.values(row));
      }
    }
  };
}
