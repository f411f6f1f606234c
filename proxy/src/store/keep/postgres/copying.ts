import { join } from 'node:path';
import { Kysely } from 'kysely';
import { placeOf, postgresPool } from '#store/engine/postgres.ts';
import { StoreError } from '#store/engine/store-error.ts';
import type { Copying } from '#store/keep/copying.ts';
import type { StateSchema } from '#store/schema.ts';
import { noteBackup } from '#store/upkeep/upkeep.ts';
import { contentOf, quoted, schemaOf, withClient } from './client.ts';
import { runPgDump } from './programs.ts';

/** The file of a backup of PostgreSQL: pg_dump's custom format. */
export const dumpName = 'deskside.dump';

/** Copies our tables with pg_dump; others in the same database are not ours. */
export function postgresCopying(databaseUrl: string): Copying {
  return {
    engine: 'postgres',
    copyInto: (folder) =>
      withClient(databaseUrl, async (client) => {
        // Counts and copy are of the same moment: pg_dump reads what this transaction sees.
        await client.query('begin transaction isolation level repeatable read, read only');
        const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
        const { tables, ...content } = await contentOf(client, databaseUrl);
        if (tables.length === 0) throw new StoreError(`There is no store in ${placeOf(databaseUrl)}.`);
        const { schema } = await schemaOf(client);
        const args = [
          ...['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${rows[0]?.id}`],
          ...tables.map((table) => `--table=${quoted(schema)}.${quoted(table)}`),
          `--file=${join(folder, dumpName)}`,
        ];
        await runPgDump(args, databaseUrl);
        await client.query('rollback');
        return { ...content, names: [dumpName] };
      }),

    async remember(at) {
      const engine = await postgresPool(databaseUrl).open();
      const db = new Kysely<StateSchema>({ dialect: engine.dialect });
      try {
        await noteBackup(db, at);
      } finally {
        await db.destroy();
      }
    },
  };
}
