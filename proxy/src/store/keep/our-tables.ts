import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { migratorOf, recordTables } from '#store/engine/migrate.ts';
import { sqliteDialect } from '#store/engine/sqlite-dialect.ts';
import { migrationsOf, type StoreFile, storeFiles } from '#store/store-files.ts';
import { namesIn } from './sqlite/file.ts';

/** A table of the store as this version makes it; those that record migrations are none. */
export interface OurTable {
  name: string;
  /** Where it is on SQLite. */
  file: StoreFile;
  columns: string[];
  /** Its primary key. */
  key: string[];
}

/** Every table of the store, learnt by migrating an empty one in memory, so that no list has to be kept. */
export async function ourTables(): Promise<OurTable[]> {
  const tables: OurTable[] = [];
  for (const file of storeFiles) {
    const database = new Sqlite(':memory:');
    const db = new Kysely<unknown>({ dialect: sqliteDialect(database) });
    try {
      const { error } = await migratorOf(db, migrationsOf('sqlite', [file])).migrateToLatest();
      if (error !== undefined) throw error;
      for (const name of namesIn(database)) {
        if (Object.values(recordTables).includes(name)) continue;
        const columns = database.prepare<[string], { name: string; pk: number }>('select * from pragma_table_info(?)');
        const all = columns.all(name);
        const key = all.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
        tables.push({ name, file, columns: all.map(({ name }) => name), key: key.map(({ name }) => name) });
      }
    } finally {
      await db.destroy();
    }
  }
  return tables;
}
