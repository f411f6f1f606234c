import { Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine } from './engine.ts';
import { driverCode, newerStore, StoreError } from './store-error.ts';

/** A set of tables by its name, which is the prefix of the tables that record what has run, with its migrations. */
export type Migrations = Readonly<Record<string, Record<string, Migration>>>;

/**
 * Opens a database and migrates the sets of tables in it to the latest version. Any number of processes may do so at once;
 * on a server those that find nothing to do wait for nobody.
 *
 * @param place what messages call the database
 * @throws StoreError, after closing the database
 */
export async function openMigrated(engine: Engine, sets: Migrations, place: string): Promise<Kysely<unknown>> {
  const db = new Kysely<unknown>({ dialect: engine.dialect });
  try {
    if (engine.name === 'postgres' && (await isCurrent(db, sets))) return db;
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

/** Whether exactly these migrations have run: one statement, where Kysely would read the whole catalogue twice for each set. */
async function isCurrent(db: Kysely<unknown>, sets: Migrations): Promise<boolean> {
  const names = Object.keys(sets).map(
    (set) => sql`select ${sql.lit(set)} as migrated, name from ${sql.table(`${set}_migration`)}`,
  );
  try {
    const { rows } = await sql<{ migrated: string; name: string }>`${sql.join(names, sql` union all `)}`.execute(db);
    const known = Object.entries(sets).flatMap(([set, migrations]) =>
      Object.keys(migrations).map((one) => `${set} ${one}`),
    );
    const found = new Set(rows.map(({ migrated, name }) => `${migrated} ${name}`));
    return found.size === known.length && known.every((one) => found.has(one));
  } catch {
    // A set is new, or the database cannot be read: whoever migrates finds out which.
    return false;
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
