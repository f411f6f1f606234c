import { type Kysely, sql } from 'kysely';
import type { EngineName } from './engine.ts';
import { newerStore } from './store-error.ts';

/**
 * Refuses a store with a set of tables that this version does not know: a later version made it, and with another set
 * alone there is no migration of a known one to tell by.
 *
 * @param known the names of our sets
 * @throws StoreError
 */
export async function refuseUnknownSets(
  db: Kysely<unknown>,
  engine: EngineName,
  { known, place }: { known: readonly string[]; place: string },
): Promise<void> {
  const tables =
    engine === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table'`
      : sql`select tablename as name from pg_tables where schemaname = current_schema()`;
  const { rows } = await sql<{ name: string }>`${tables}`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  // Another program in the same PostgreSQL may keep its migrations by Kysely's own name for them.
  const isOurs = (set: string) => set !== 'kysely' && names.has(`${set}_migration_lock`);
  for (const name of names) {
    const [, set] = /^(.+)_migration$/.exec(name) ?? [];
    if (set !== undefined && isOurs(set) && !known.includes(set)) throw newerStore(place);
  }
}
