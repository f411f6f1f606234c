import type { Migration } from 'kysely/migration';
import type { EngineName } from './engine/engine.ts';
import { cacheFile, type SqliteFile, stateFile } from './engine/sqlite.ts';
import { cacheMigrations } from './migrations/cache.ts';
import { leaseMigrations } from './migrations/leases.ts';
import { operatorMigrations } from './migrations/operator.ts';
import { pipelineMigrations } from './migrations/pipeline.ts';
import { settingsMigrations } from './migrations/settings.ts';
import { syncLogMigrations } from './migrations/sync-log.ts';

/** A set of tables: where it is stored and how it is migrated. */
export interface TableSet {
  name: string;
  /** On SQLite; PostgreSQL has everything in one database. */
  file: { name: string; kind: SqliteFile };
  migrations: (engine: EngineName) => Record<string, Migration>;
}

const cacheDb = { name: 'cache.db', kind: cacheFile };
const stateDb = { name: 'state.db', kind: stateFile };

export const cacheSet: TableSet = { name: 'cache', file: cacheDb, migrations: cacheMigrations };
export const leaseSet: TableSet = { name: 'lease', file: stateDb, migrations: leaseMigrations };
export const syncSet: TableSet = { name: 'sync', file: stateDb, migrations: syncLogMigrations };
export const pipelineSet: TableSet = { name: 'pipeline', file: stateDb, migrations: pipelineMigrations };
export const operatorSet: TableSet = { name: 'operator', file: stateDb, migrations: operatorMigrations };
export const settingsSet: TableSet = { name: 'settings', file: stateDb, migrations: settingsMigrations };

/** All of them, in the order in which they are migrated. What backs up, restores and moves a store goes by this list. */
export const tableSets: readonly TableSet[] = [cacheSet, leaseSet, syncSet, pipelineSet, operatorSet, settingsSet];

/** The files of a store on SQLite. */
export const storeFiles: readonly TableSet['file'][] = [...new Set(tableSets.map(({ file }) => file))];
