import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { makeCacheTables, makeStateTables } from './baseline.ts';
import type { EngineName } from './engine.ts';
import { cacheFile, type SqliteFile, stateFile } from './sqlite.ts';

/** A file of a store on SQLite. PostgreSQL has the tables of both in one database. */
export interface StoreFile {
  name: string;
  kind: SqliteFile;
}

export const cacheDb: StoreFile = { name: 'cache.db', kind: cacheFile };
export const stateDb: StoreFile = { name: 'state.db', kind: stateFile };

/** The files of a store on SQLite. */
export const storeFiles: readonly StoreFile[] = [cacheDb, stateDb];

/**
 * All migrations, ordered by name. From 1.0 on a released one is never changed.
 *
 * @param files whose tables the database has
 */
export function migrationsOf(engine: EngineName, files: readonly StoreFile[] = storeFiles): Record<string, Migration> {
  return {
    '0001_tables': {
      async up(db: Kysely<unknown>) {
        if (files.includes(cacheDb)) await makeCacheTables(db, engine);
        if (files.includes(stateDb)) await makeStateTables(db, engine);
      },
    },
  };
}
