import { join, resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { machine } from '#runtime/machine.ts';
import type { Clock } from '#runtime/memory.ts';
import { driverCode, engineOf, StoreError } from './engine.ts';
import { openPostgres, placeOf } from './postgres.ts';
import { makeDeskList, makeOneAnswer, makeSignedIn, makeTables, type StateDb } from './schema.ts';
import { lookIntoSqlite, openSqlite } from './sqlite.ts';

export { StoreError };

/** What is kept, and by whose time. `db`: the tables; the functions on them are called by name. */
export interface Store {
  db: StateDb;
  clock: Clock;
  /** Fires when it is closed. */
  closed: AbortSignal;
  close(): Promise<void>;
}

/**
 * Opens the store and migrates its tables to the latest version. Any number of processes may do so at once; on a server
 * those that find nothing to do wait for nobody.
 *
 * @param databaseUrl `file:./data` (a folder, relative to the working directory) or `postgres://…`
 * @throws StoreError with one sentence that says what is wrong; it never contains a password
 */
export async function openStore(databaseUrl: string, clock: Clock = machine.now): Promise<Store> {
  const place = nameOf(databaseUrl);
  const engine = isPostgres(databaseUrl) ? await openPostgres(databaseUrl) : openSqlite(stateFile(databaseUrl));
  const db: StateDb = new Kysely({ dialect: engine.dialect });
  try {
    if (engine.name === 'sqlite' || !(await isMigrated(db, place)))
      await engine.withLock(async () => {
        await isMigrated(db, place);
        await migrate(db);
      });
  } catch (error) {
    await db.destroy();
    await engine.abandon();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${place} cannot be brought up to date (${driverCode(error)}).`);
  }
  const closing = new AbortController();
  const close = () => {
    closing.abort();
    return db.destroy();
  };
  return { db, clock, closed: closing.signal, close };
}

/**
 * Opens the tables of a store that exists, for reading only: null if there is none yet. To be closed by `destroy`.
 *
 * @throws StoreError like `openStore`
 */
export async function openRecords(databaseUrl: string): Promise<StateDb | null> {
  const dialect = isPostgres(databaseUrl)
    ? (await openPostgres(databaseUrl)).dialect
    : lookIntoSqlite(stateFile(databaseUrl));
  if (dialect === null) return null;
  const db: StateDb = new Kysely({ dialect });
  try {
    if (await isMigrated(db, nameOf(databaseUrl))) return db;
  } catch (error) {
    await db.destroy();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`Our own records cannot be read (${driverCode(error)}).`);
  }
  await db.destroy();
  return null;
}

/** What messages call the database. */
function nameOf(databaseUrl: string): string {
  return isPostgres(databaseUrl) ? placeOf(databaseUrl) : stateFile(databaseUrl);
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

/** The file of a store on SQLite. Throws StoreError like `folderOf`. */
export function stateFile(databaseUrl: string): string {
  return join(folderOf(databaseUrl), 'state.db');
}

/** The tables in which a database records which migrations have run. */
export const recordTables = {
  migrationTableName: 'deskside_migration',
  migrationLockTableName: 'deskside_migration_lock',
};

/** All migrations, ordered by name. From 1.0 on a released one is never changed. */
const migrations: Record<string, Migration> = {
  '0001_store': { up: (db: StateDb) => makeTables(db) },
  '0002_one_answer': { up: (db: StateDb) => makeOneAnswer(db) },
  '0003_desk_list': { up: (db: StateDb) => makeDeskList(db) },
  '0004_signed_in': { up: (db: StateDb) => makeSignedIn(db) },
};

/** Those whose tables are others: 0.2's, and one that no release had. */
const formerMigrations = ['0001_baseline', '0001_tables'];

export async function migrate(db: StateDb): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, ...recordTables });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * Whether all migrations have run. In two statements, where Kysely would read the whole catalogue twice.
 *
 * @param place what messages call the database
 * @throws StoreError for a store that this version must not touch, before anything in it is changed
 */
export async function isMigrated(db: StateDb, place: string): Promise<boolean> {
  const catalogue =
    engineOf(db) === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table'`
      : sql`select tablename as name from pg_tables where schemaname = current_schema()`;
  const tables = await namesFrom(db, catalogue);
  const ran = tables.includes(recordTables.migrationTableName)
    ? await namesFrom(db, sql`select name from ${sql.table(recordTables.migrationTableName)}`)
    : [];
  // 0.1 recorded its migrations elsewhere.
  const isOf01 = tables.includes('cache_migration_lock') || tables.includes('pipeline_migration_lock');
  if (isOf01 || ran.some((name) => formerMigrations.includes(name)))
    throw new StoreError(
      `${place} was written by Deskside 0.1 or 0.2, which this version cannot read: it is left as it is; use another place, which begins empty.`,
    );
  if (ran.some((name) => !(name in migrations)))
    throw new StoreError(`${place} was written by a newer version of Deskside; use that one, or another place.`);
  return Object.keys(migrations).every((name) => ran.includes(name));
}

async function namesFrom(db: StateDb, query: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from (${query}) as found`.execute(db);
  return rows.map(({ name }) => name);
}
