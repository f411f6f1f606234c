import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { Adoption } from '#store/adoptions.ts';
import { decisionOf } from '#store/decisions.ts';
import { migratorOf } from '#store/migrate.ts';
import type { CacheSchema, StateSchema } from '#store/schema.ts';
import { sqliteDialect } from '#store/sqlite-dialect.ts';
import { storeOn } from '#store/store.ts';
import { migrationsOf } from '#store/store-files.ts';
import type { SyncEntry } from '#store/syncs.ts';

/** The store on SQLite in memory, with what tests look at. */
export type MemoryStore = ReturnType<typeof memoryStore>;

/** Migrated once: a copy of it is opened in a fifth of a millisecond. */
const template = await migrated();

async function migrated(): Promise<Buffer> {
  const database = new Sqlite(':memory:');
  // Most tables of a test are empty, and each is at least one page.
  database.pragma('page_size = 1024');
  const db = new Kysely<unknown>({ dialect: sqliteDialect(database) });
  const { error } = await migratorOf(db, migrationsOf('sqlite')).migrateToLatest();
  if (error !== undefined) throw error;
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
  const db = new Kysely<StateSchema & CacheSchema>({ dialect: sqliteDialect(database) });
  const rowsOf = <Row>(query: string) => database.prepare<[], Row>(query).all();
  return {
    ...storeOn(db, db, clock),
    db,
    database,
    /** What is in its tables, at the moment of asking. */
    rows: {
      /** Every adoption, in the order in which they were made, taken back or not. */
      get adoptions(): Adoption[] {
        return rowsOf<Omit<Adoption, 'changes'> & { changes: string }>(
          `select id, customer, org_id as orgId, crm_company_id as crmCompanyId, company_name as companyName,
            by_user as by, via, ticket, changes, at, undone_at as undoneAt
            from customer_adoption order by rowid`,
        ).map((row) => ({ ...row, changes: JSON.parse(row.changes) }));
      },
      /** Every decision, in the order in which they were made. */
      get decisions() {
        return rowsOf<{ id: number; decision: string }>('select id, decision from routing_decision order by id').map(
          decisionOf,
        );
      },
      /** When each ticket is due, in epoch milliseconds; null if nothing is left to do. */
      get work() {
        const rows = rowsOf<{ ticket: string; dueAt: number | null }>(
          'select ticket, due_at as dueAt from ticket_work',
        );
        return new Map(rows.map(({ ticket, dueAt }) => [ticket, { dueAt }]));
      },
      /** The owner of each key. */
      get leases() {
        const rows = rowsOf<{ key: string; owner: string }>('select key, owner from lease');
        return new Map(rows.map(({ key, owner }) => [key, owner]));
      },
      /** When each org id's entry of the ordinary look-up was checked. */
      get companies() {
        const rows = rowsOf<{ orgId: string; checkedAt: number }>(
          "select org_id as orgId, checked_at as checkedAt from crm_company_cache where lookup = 'company_id'",
        );
        return new Map(rows.map(({ orgId, checkedAt }) => [orgId, { checkedAt }]));
      },
      /** Every sync, in the order in which they were written. */
      get syncs() {
        return rowsOf<SyncEntry>(
          `select id, ticket, agent, org_id as orgId, crm_company_id as crmCompanyId, customer,
            previous_customer as previousCustomer, at, undone_at as undoneAt from sync_log order by rowid`,
        );
      },
    },
  };
}

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
