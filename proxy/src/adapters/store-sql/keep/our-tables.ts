import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { sqliteDialect } from '#adapters/store-sql/engine/sqlite-dialect.ts';
import { type TableSet, tableSets } from '#adapters/store-sql/table-sets.ts';
import { namesIn } from './sqlite/file.ts';

/** A table of the store as this version makes it; those that record migrations are none. */
export interface OurTable {
  name: string;
  /** Where it is on SQLite. */
  file: TableSet['file'];
  columns: string[];
  /** Its primary key. */
  key: string[];
}

const recordTablesOf = (set: string) => [`${set}_migration`, `${set}_migration_lock`] as const;

/** The tables in which each set records what has run. */
export const recordTables: readonly string[] = tableSets.flatMap(({ name }) => recordTablesOf(name));

/** Every table of the store, learnt by migrating an empty one in memory, so that no list has to be kept. */
export async function ourTables(): Promise<OurTable[]> {
  const database = new Sqlite(':memory:');
  const db = new Kysely<unknown>({ dialect: sqliteDialect(database) });
  const known = new Map<string, OurTable>();
  try {
    for (const { name: set, file, migrations } of tableSets) {
      const [migrationTableName, migrationLockTableName] = recordTablesOf(set);
      const provider = { getMigrations: async () => migrations('sqlite') };
      const { error } = await new Migrator({
        db,
        provider,
        migrationTableName,
        migrationLockTableName,
      }).migrateToLatest();
      if (error !== undefined) throw error;
      for (const table of namesIn(database)) {
        if (known.has(table) || recordTables.includes(table)) continue;
        const columns = database.prepare<[string], { name: string; pk: number }>('select * from pragma_table_info(?)');
        const all = columns.all(table);
        const key = all.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
        known.set(table, { name: table, file, columns: all.map(({ name }) => name), key: key.map(({ name }) => name) });
      }
    }
    return [...known.values()];
  } finally {
    await db.destroy();
  }
}

/** The last migration that this version has of each set. */
export function ourMigrations(): Record<string, string> {
  return Object.fromEntries(
    tableSets.map(({ name, migrations }) => [name, Object.keys(migrations('sqlite')).sort().at(-1) ?? '']),
  );
}
