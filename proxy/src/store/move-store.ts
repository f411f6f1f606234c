import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { inUse, makeSingle, withState } from './backup.ts';
import {
  cacheDb,
  folderOf,
  isPostgres,
  migrationsOf,
  migratorOf,
  openDatabases,
  recordTables,
  type StoreFile,
  stateDb,
} from './database.ts';
import { engineOf, StoreError } from './engine.ts';
import { placeOf } from './postgres.ts';
import { walkTable } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

/** A table of the store; those that record migrations are none. */
interface OurTable {
  name: string;
  columns: string[];
  /** Its primary key. */
  key: string[];
}

/**
 * Copies every table of a store into another place, whose tables are empty or made by this. The state is copied in one
 * transaction, after the cache: should it fail, it can be run again. The source stays. Gives how many rows there were.
 *
 * @throws StoreError if a service works on the source, or the target is not empty
 */
export async function moveStore(from: string, to: string): Promise<number> {
  if (!isPostgres(from)) await refuseOpenFile(from);
  const source = await openDatabases(from);
  try {
    if (isPostgres(from)) await refuseHeldDuties(source.state, placeOf(from));
    const target = await openDatabases(to);
    try {
      const state = await tablesOf(stateDb);
      for (const { name } of state)
        if (await hasRows(target.state, name)) throw new StoreError(`The target is not empty: ${name} has rows.`);
      const cached = await copy(source.cache, target.cache, await tablesOf(cacheDb));
      return cached + (await copy(source.state, target.state, state));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** In one transaction. What the target had in these tables goes. */
function copy<Schema>(from: QueryExecutorProvider, to: Kysely<Schema>, tables: readonly OurTable[]): Promise<number> {
  return to.transaction().execute(async (trx) => {
    let copied = 0;
    for (const { name, columns, key } of tables) {
      await sql`delete from ${sql.table(name)}`.execute(trx);
      const others = columns.filter((column) => !key.includes(column));
      // Ids are kept: other rows and people's notes name them.
      const keepingIds = engineOf(trx) === 'postgres' ? sql`overriding system value` : sql``;
      for await (const row of walkTable(from, name, key, others)) {
        const values = columns.map((column) => row[column] ?? null);
        await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) ${keepingIds}
          values (${sql.join(values)})`.execute(trx);
        copied += 1;
      }
    }
    if (engineOf(trx) === 'postgres' && tables.some(({ name }) => name === 'decisions'))
      // The next decision is numbered after those that came with their numbers.
      await sql`select setval(pg_get_serial_sequence('decisions', 'id'), max(id)) from decisions
        having max(id) is not null`.execute(trx);
    return copied;
  });
}

async function hasRows(db: QueryExecutorProvider, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}

/** The tables of a file, learnt by making an empty one in memory, so that no list has to be kept. */
async function tablesOf(file: StoreFile): Promise<OurTable[]> {
  const database = new Sqlite(':memory:');
  const db = new Kysely<unknown>({ dialect: sqliteDialect(database) });
  try {
    const { error } = await migratorOf(db, migrationsOf('sqlite', [file])).migrateToLatest();
    if (error !== undefined) throw error;
    const names = database.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
    const columnsOf = database.prepare<[string], { name: string; pk: number }>('select * from pragma_table_info(?)');
    return names
      .filter((name) => !name.startsWith('sqlite_') && !Object.values(recordTables).includes(name))
      .map((name) => {
        const all = columnsOf.all(name);
        const key = all.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
        return { name, columns: all.map((column) => column.name), key: key.map((column) => column.name) };
      });
  } finally {
    await db.destroy();
  }
}

async function refuseOpenFile(databaseUrl: string): Promise<void> {
  const path = join(folderOf(databaseUrl), stateDb.name);
  await withState(path, { readonly: false }, (database) => {
    if (!makeSingle(database)) throw inUse(path);
  });
}

/** Of services that run, one always has the lease of the loops (docs/operate.md#several-replicas). */
async function refuseHeldDuties(db: QueryExecutorProvider, place: string): Promise<void> {
  const { rows } = await sql`select 1 from leases where key = 'loops' and until > ${Date.now()}`.execute(db);
  if (rows.length > 0) throw inUse(place);
}
