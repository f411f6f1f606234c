import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { recordTables } from '#store/engine/migrate.ts';
import { placeOf } from '#store/engine/postgres.ts';
import { driverCode, formerStore, StoreError } from '#store/engine/store-error.ts';
import { ourTables } from '#store/keep/our-tables.ts';
import type { FileContent } from '#store/keep/sqlite/file.ts';

/** A name as it stands in a statement, and in a pattern of pg_dump. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The schema in which the store has its tables. */
export async function schemaOf(client: pg.Client): Promise<{ schema: string }> {
  const { rows } = await client.query<{ schema: string | null }>('select current_schema() as schema');
  return { schema: rows[0]?.schema ?? 'public' };
}

/**
 * Our tables that the database has, those that record migrations included, and what is in them. Throws StoreError for a
 * store of 0.1, whose tables are only partly ours.
 */
export async function contentOf(client: pg.Client, databaseUrl: string): Promise<FileContent & { tables: string[] }> {
  const { migrationTableName, migrationLockTableName } = recordTables;
  const ours = [...(await ourTables()).map(({ name }) => name), migrationTableName, migrationLockTableName];
  const { rows: found } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() and tablename = any($1) order by 1',
    [ours],
  );
  const tables = found.map(({ name }) => name);
  const content: FileContent = { migration: '', rows: {} };
  if (tables.length > 0 && !tables.includes(migrationTableName)) throw formerStore(placeOf(databaseUrl));
  for (const table of tables) {
    const one = async <T>(what: string) => {
      const { rows } = await client.query<{ value: T }>(`select ${what} as value from ${quoted(table)}`);
      return rows[0]?.value;
    };
    if (table === migrationTableName) content.migration = (await one<string>('max(name)')) ?? '';
    else if (table !== migrationLockTableName) content.rows[table] = Number((await one<string>('count(*)')) ?? 0);
  }
  return { ...content, tables };
}

/** Uses one connection of its own, which is not taken for a proxy's. Throws StoreError if the database refuses. */
export async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'deskside-keep',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${placeOf(databaseUrl)} cannot be used (${driverCode(error)}).`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The server shows a connection for a moment after its client has closed it. */
const goneWithinMs = 2_000;
const lookAgainMs = 100;

/** Whether another connection is a proxy's. Behind a pooler it cannot be told. */
export async function hasProxy(client: pg.Client): Promise<boolean> {
  const connected = async () => {
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = 'deskside' limit 1",
    );
    return rows.length > 0;
  };
  for (let waited = 0; waited < goneWithinMs; waited += lookAgainMs) {
    if (!(await connected())) return false;
    await wait(lookAgainMs);
  }
  return connected();
}
