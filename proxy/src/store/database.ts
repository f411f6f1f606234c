import { join, resolve } from 'node:path';
import { Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Clock } from '#runtime/memory.ts';
import {
  driverCode,
  type Engine,
  type EngineName,
  formerStore,
  newerStore,
  StoreError,
} from './engine.ts';
import { placeOf, postgresPool } from './postgres.ts';
import { ProfileCache } from './profile-cache.ts';
import {
  type CacheDb,
  type CacheSchema,
  makeCacheTables,
  makeStateTables,
  type StateDb,
  type StateSchema,
} from './schema.ts';
import { cacheFile, lookIntoSqlite, openSqlite, type SqliteFile, stateFile } from './sqlite.ts';

export { StoreError };

/** What is kept, and by whose time. `db`: the tables of the state; the functions on them are called by name. */
export interface Store {
  db: StateDb;
  clock: Clock;
  profileCache: ProfileCache;
  close(): Promise<void>;
}

/**
 * Opens the store and migrates its tables to the latest version.
 *
 * @param databaseUrl `file:./data` (a folder, relative to the working directory) or `postgres://…`
 * @param onWait called once if another process is just migrating, which on PostgreSQL is waited for
 * @throws StoreError with one sentence that says what is wrong; it never contains a password
 */
export async function openStore(
  databaseUrl: string,
  clock: Clock = Date.now,
  onWait: (place: string) => void = () => {},
): Promise<Store> {
  const { cache, state, close } = await openDatabases(databaseUrl, onWait);
  return { db: state, clock, profileCache: new ProfileCache(cache), close };
}

/** The databases of a store, migrated to the latest version. On PostgreSQL they are one, on SQLite each is a file. */
interface Databases {
  cache: CacheDb;
  state: StateDb;
  close(): Promise<void>;
}

/** Opens them alone, for copying them as a whole. Throws StoreError like `openStore`. */
export async function openDatabases(
  databaseUrl: string,
  onWait: (place: string) => void = () => {},
): Promise<Databases> {
  const opened: { destroy(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(opened.map((db) => db.destroy()));
  };
  const place = placeFor(databaseUrl, onWait);
  async function open<Schema>(file: StoreFile): Promise<Kysely<Schema>> {
    const engine = await place.open(file);
    const migrations = migrationsOf(engine.name, engine.name === 'postgres' ? storeFiles : [file]);
    const db = await openMigrated<Schema>(engine, migrations, place.at(file));
    opened.push(db);
    return db;
  }
  try {
    const cache = await open<CacheSchema>(cacheDb);
    const state = await open<StateSchema>(stateDb);
    return { cache, state, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the tables of a store that exists, for reading only: null if there is none yet. To be closed by `destroy`.
 *
 * @throws StoreError like `openStore`
 */
export async function openRecords(databaseUrl: string): Promise<StateDb | null> {
  return lookInto(databaseUrl, 'decisions').catch((error: unknown) => {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`Our own records cannot be read (${driverCode(error)}).`);
  });
}

/** The database of the state, for reading only; null if there is none that has the table. Refuses a store of 0.1 or 0.2. */
async function lookInto(databaseUrl: string, table: keyof StateSchema): Promise<StateDb | null> {
  const place = placeFor(databaseUrl);
  const engine = await place.look(stateDb);
  if (engine === null) return null;
  const db: StateDb = new Kysely({ dialect: engine.dialect });
  try {
    await refuseFormer(db, place.name, place.at(stateDb));
    const tables = await db.introspection.getTables();
    if (tables.some(({ name }) => name === table)) return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
  await db.destroy();
  return null;
}

/** Where the tables are stored. */
interface Place {
  name: EngineName;
  /** What messages call it. */
  at(file: StoreFile): string;
  open(file: StoreFile): Promise<Engine>;
  /** For reading only; null if there is nothing. */
  look(file: StoreFile): Promise<Pick<Engine, 'dialect'> | null>;
}

function placeFor(databaseUrl: string, onWait: (place: string) => void = () => {}): Place {
  if (isPostgres(databaseUrl)) {
    let isWaiting = false;
    const pool = postgresPool(databaseUrl, () => {
      if (!isWaiting) onWait(placeOf(databaseUrl));
      isWaiting = true;
    });
    return { name: 'postgres', at: () => placeOf(databaseUrl), open: pool.open, look: pool.open };
  }
  const folder = folderOf(databaseUrl);
  const at = ({ name }: StoreFile) => join(folder, name);
  return {
    name: 'sqlite',
    at,
    open: async (file) => openSqlite(at(file), file.kind),
    look: async (file) => lookIntoSqlite(at(file), file.kind),
  };
}

/** Whether the address is one of PostgreSQL; otherwise it should be that of a folder. */
export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl);
}

/**
 * The folder of a store on SQLite, as an absolute path.
 *
 * @param databaseUrl `file:<folder>`, relative to the working directory
 * @throws StoreError for anything else
 */
export function folderOf(databaseUrl: string): string {
  const [, folder] = /^file:(?:\/\/(?=\/))?([^\0]+)$/.exec(databaseUrl) ?? [];
  if (folder === undefined || folder.startsWith('//')) {
    throw new StoreError('The database must be given as file:<folder>, such as file:./data, or as postgres://….');
  }
  return resolve(folder);
}

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
