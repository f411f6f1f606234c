import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Clock } from '#runtime/memory.ts';
import { folderOf, isPostgres } from './database-url.ts';
import type { Engine, EngineName, FileCare } from './engine.ts';
import { openMigrated, refuseFormer } from './migrate.ts';
import { placeOf, postgresPool } from './postgres.ts';
import * as profileCache from './profile-cache.ts';
import { type PurgeOrder, purge } from './purge.ts';
import type { CacheDb, CacheSchema, StateDb, StateSchema } from './schema.ts';
import { lookIntoSqlite, openSqlite } from './sqlite.ts';
import { driverCode, StoreError } from './store-error.ts';
import { cacheDb, migrationsOf, type StoreFile, stateDb, storeFiles } from './store-files.ts';

export { StoreError };

/** What is kept, and by whose time. `db`: the tables of the state; the functions on them are called by name. */
export interface Store {
  db: StateDb;
  clock: Clock;
  profileCache: ReturnType<typeof cacheOn>;
  purge(order: PurgeOrder): ReturnType<typeof purge>;
  /**
   * For the service, once it serves: looks for damage in what was not closed in an orderly way, beside everything else, and
   * gives a sentence for each file that has any (docs/decisions.md 24). Throws if one cannot be looked at.
   */
  checkFiles(): Promise<string[]>;
  close(): Promise<void>;
}

const cacheOn = (db: CacheDb) => boundTo({ db, uncounted: 0 }, profileCache);

/** A store on migrated tables; those of both files may be in one database. */
export function storeOn(state: StateDb, cache: CacheDb, clock: Clock): Omit<Store, 'checkFiles' | 'close'> {
  return {
    db: state,
    clock,
    profileCache: cacheOn(cache),
    purge: (order) => purge({ state, cache }, order),
  };
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
  const { cache, state, files, close } = await openDatabases(databaseUrl, onWait);
  const stopped = new AbortController();
  return {
    ...storeOn(state, cache, clock),
    async checkFiles() {
      const found: (string | null)[] = [];
      for (const file of files) found.push(await file.check(stopped.signal));
      return found.filter((problem) => problem !== null);
    },
    async close() {
      stopped.abort();
      await close();
    },
  };
}

/** The databases of a store, migrated to the latest version. On PostgreSQL they are one, on SQLite each is a file. */
interface Databases {
  cache: CacheDb;
  state: StateDb;
  files: FileCare[];
  close(): Promise<void>;
}

/** Opens them alone, for copying them as a whole. Throws StoreError like `openStore`. */
export async function openDatabases(
  databaseUrl: string,
  onWait: (place: string) => void = () => {},
): Promise<Databases> {
  const opened: { destroy(): Promise<void> }[] = [];
  const files: FileCare[] = [];
  const close = async () => {
    for (const file of files) file.leave();
    await Promise.all(opened.map((db) => db.destroy()));
  };
  const place = placeFor(databaseUrl, onWait);
  async function open<Schema>(file: StoreFile): Promise<Kysely<Schema>> {
    const engine = await place.open(file);
    const migrations = migrationsOf(engine.name, engine.name === 'postgres' ? storeFiles : [file]);
    const db = await openMigrated<Schema>(engine, migrations, place.at(file));
    opened.push(db);
    if (engine.file) files.push(engine.file);
    return db;
  }
  try {
    const cache = await open<CacheSchema>(cacheDb);
    const state = await open<StateSchema>(stateDb);
    return { cache, state, files, close };
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

/** Functions that take `first` before what they are asked. */
type FunctionsOf<First> = Record<string, (first: First, ...asked: never[]) => unknown>;

/** The same functions without that parameter. From a method the editor leads to its function: mapped name by name. */
export type BoundTo<First, Functions extends FunctionsOf<First>> = {
  [Name in keyof Functions]: Functions[Name] extends (first: First, ...asked: infer Asked) => infer Answer
    ? (...asked: Asked) => Answer
    : never;
};

/**
 * A module's functions as methods of what they all take first, such as a database.
 *
 * @param answered what becomes of each answer; it stays what it is if absent
 */
export function boundTo<First, Functions extends FunctionsOf<First>>(
  first: First,
  functions: Functions,
  answered: (answer: unknown) => unknown = (answer) => answer,
): BoundTo<First, Functions> {
  const methods = Object.entries(functions).map(([name, ask]) => {
    const method = (...asked: never[]) => answered(ask(first, ...asked));
    return [name, method];
  });
  return Object.fromEntries(methods);
}
