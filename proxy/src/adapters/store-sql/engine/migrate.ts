import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine } from './engine.ts';
import { driverCode, newerStore, StoreError } from './store-error.ts';

/**
 * Opens a set of tables and migrates it to the latest version. Any number of processes may do so at once.
 *
 * @param set prefix of the tables that record what has run, so that several sets can share a database
 * @param place what messages call the database
 * @throws StoreError, after closing the database
 */
export async function openMigrated<Schema>(
  engine: Engine,
  set: string,
  migrations: Record<string, Migration>,
  place: string,
): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: engine.dialect });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: `${set}_migration`,
    migrationLockTableName: `${set}_migration_lock`,
  });
  try {
    await engine.withLock(async () => {
      const { error } = await migrator.migrateToLatest();
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
