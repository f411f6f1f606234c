import { join } from 'node:path';
import type pg from 'pg';
import { placeOf } from '#adapters/store-sql/engine/postgres.ts';
import { contentOf, hasProxy, quoted, schemaOf, withClient } from './postgres-client.ts';
import { dumpName } from './postgres-copying.ts';
import { runPostgresProgram } from './postgres-programs.ts';
import { asideName, checkRows, inUse, type Restoring, refuseToReplace } from './restoring.ts';

/**
 * Restores into a database; gives the schema to which the former tables were moved, null if there were none. Nothing
 * but our tables is touched. Throws StoreError; the former tables are then where they were.
 */
export function postgresRestoring(databaseUrl: string, job: Restoring): Promise<string | null> {
  return withClient(databaseUrl, async (client) => {
    const place = placeOf(databaseUrl);
    if (await hasProxy(client)) throw inUse(place);
    const { tables: former } = await contentOf(client);
    if (former.length > 0 && !job.replace) throw refuseToReplace(place);
    const { schema } = await schemaOf(client);
    const aside = `deskside_${asideName(job.at).toLowerCase().replaceAll('-', '_')}`;
    if (former.length > 0) await move(client, former, { from: schema, to: aside, make: true });
    try {
      await runPostgresProgram('pg_restore', restoreArgs(databaseUrl, job.backup), databaseUrl);
      checkRows(job, (await contentOf(client)).rows);
      await job.finish(databaseUrl);
    } catch (error) {
      await takeBack(client, former, { schema, aside });
      throw error;
    }
    return former.length > 0 ? aside : null;
  });
}

/** All or nothing, and nothing of the former server's owners and rights. */
function restoreArgs(databaseUrl: string, backup: string): string[] {
  const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return [
    ...['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'],
    ...[`--dbname=${database}`, join(backup, dumpName)],
  ];
}

async function move(
  client: pg.Client,
  tables: readonly string[],
  { from, to, make }: { from: string; to: string; make: boolean },
): Promise<void> {
  await client.query('begin');
  if (make) await client.query(`create schema ${quoted(to)}`);
  for (const table of tables)
    await client.query(`alter table ${quoted(from)}.${quoted(table)} set schema ${quoted(to)}`);
  if (!make) await client.query(`drop schema ${quoted(from)}`);
  await client.query('commit');
}

/** Removes what was restored, and puts the former tables back. */
async function takeBack(
  client: pg.Client,
  former: readonly string[],
  { schema, aside }: { schema: string; aside: string },
): Promise<void> {
  const { tables } = await contentOf(client);
  for (const table of tables) await client.query(`drop table ${quoted(schema)}.${quoted(table)}`);
  if (former.length > 0) await move(client, former, { from: aside, to: schema, make: false });
}
