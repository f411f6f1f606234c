import { Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine, EngineName } from './engine.ts';
import { driverCode, formerStore, newerStore, StoreError } from './store-error.ts';

/** The tables in which a database records which migrations have run. */
export const recordTables = {
  migrationTableName: 'deskside_migration',
  migrationLockTableName: 'deskside_migration_lock',
};

/** The migration of 0.2, whose tables are others. */
export const refusedName = '0001_baseline';

/**
 * Opens a database and migrates it to the latest version. Any number of processes may do so at once; on a server those
 * that find nothing to do wait for nobody.
 *
 * @param place what messages call the database
 * @throws StoreError, after closing the database
 */
export async function openMigrated<Schema>(
  engine: Engine,
  migrations: Record<string, Migration>,
  place: string,
): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: engine.dialect });
  try {
    if (engine.name === 'postgres' && (await isCurrent(db, migrations))) return db;
    await engine.withLock(async () => {
      await refuseFormer(db, engine.name, place);
      const { error } = await migratorOf(db, migrations).migrateToLatest();
      if (error !== undefined) throw error;
    });
    return db;
  } catch (error) {
    await db.destroy();
    await engine.abandon();
    if (error instanceof StoreError) throw error;
    if (error instanceof Error && /previously executed migration .+ is missing/.test(error.message)) {
      throw newerStore(place);
    }
    throw new StoreError(`${place} cannot be brought up to date (${driverCode(error)}).`);
  }
}

export function migratorOf<Schema>(db: Kysely<Schema>, migrations: Record<string, Migration>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations }, ...recordTables });
}

/**
 * Refuses a store of 0.1, which recorded its migrations in other tables, or of 0.2, before anything in it is changed.
 *
 * @throws StoreError
 */
export async function refuseFormer(db: QueryExecutorProvider, engine: EngineName, place: string): Promise<void> {
  const tables =
    engine === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table'`
      : sql`select tablename as name from pg_tables where schemaname = current_schema()`;
  const { rows } = await sql<{ name: string }>`select name from (${tables}) as tables
    where name in ('cache_migration_lock', 'pipeline_migration_lock')`.execute(db);
  const isFormer = rows.length > 0 || (await migrationsIn(db)).has(refusedName);
  if (isFormer) throw formerStore(place);
}

/** Whether exactly these migrations have run: one statement, where Kysely would read the whole catalogue twice. */
async function isCurrent(db: QueryExecutorProvider, migrations: Record<string, Migration>): Promise<boolean> {
  const found = await migrationsIn(db);
  const known = Object.keys(migrations);
  return found.size === known.length && known.every((one) => found.has(one));
}

/** None where the database is new or cannot be read: whoever migrates finds out which. */
async function migrationsIn(db: QueryExecutorProvider): Promise<Set<string>> {
  try {
    const { rows } = await sql<{
      name: string;
    }>`select name from ${sql.table(recordTables.migrationTableName)}`.execute(db);
    return new Set(rows.map(({ name }) => name));
  } catch {
    return new Set();
  }
}
