import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine } from './engine.ts';
import { driverCode, StoreError } from './store-error.ts';

/**
 * Opens one set of tables, brought up to date. Any number of processes may do so at once.
 *
 * @param set prefix of the tables that remember what ran, so that several sets can share a database
 * @param place how a message names the database
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
    await engine.exclusively(async () => {
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
    });
    return db;
  } catch (error) {
    await db.destroy();
    await engine.abandon();
    if (error instanceof StoreError) throw error;
    if (error instanceof Error && /previously executed migration .+ is missing/.test(error.message)) {
      throw new StoreError(`${place} was written by a newer version of Deskside; use that one, or another place.`);
    }
    throw new StoreError(`${place} cannot be brought up to date (${driverCode(error)}).`);
  }
}
