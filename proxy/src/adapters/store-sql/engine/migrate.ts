import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine } from './engine.ts';
import { driverCode, newerStore, StoreError } from './store-error.ts';

/** A set of tables by its name, which is the prefix of the tables that record what has run, with its migrations. */
export type Migrations = Readonly<Record<string, Record<string, Migration>>>;

/**
 * Opens a database and migrates the sets of tables in it to the latest version. Any number of processes may do so at once.
 *
 * @param place what messages call the database
 * @throws StoreError, after closing the database
 */
export async function openMigrated(engine: Engine, sets: Migrations, place: string): Promise<Kysely<unknown>> {
  const db = new Kysely<unknown>({ dialect: engine.dialect });
  try {
    await engine.withLock(async () => {
      for (const [set, migrations] of Object.entries(sets)) await migrate(db, set, migrations);
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

async function migrate(db: Kysely<unknown>, set: string, migrations: Record<string, Migration>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: `${set}_migration`,
    migrationLockTableName: `${set}_migration_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
