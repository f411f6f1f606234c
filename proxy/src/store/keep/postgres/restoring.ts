import { join } from 'node:path';
import { placeOf } from '#store/engine/postgres.ts';
import { asideName, checkRows, inUse, type Restoring, refuseToReplace } from '#store/keep/restoring.ts';
import { restoreNote } from '#store/upkeep/notes.ts';
import { contentOf, hasProxy, quoted, schemaOf, withClient } from './client.ts';
import { dumpName } from './copying.ts';
import { restoreInPsql } from './programs.ts';

/**
 * Restores into a database; gives the schema to which the former tables were moved, null if there were none. Nothing
 * but our tables is touched. One transaction moves the former tables aside, restores and checks, so that whatever ends it
 * leaves the one store or the other. Throws StoreError; the former tables are then where they were, unless it was bringing
 * the restored ones up to date that failed: those can be opened, which does it again.
 */
export function postgresRestoring(databaseUrl: string, job: Restoring): Promise<string | null> {
  return withClient(databaseUrl, async (client) => {
    const place = placeOf(databaseUrl);
    if (await hasProxy(client)) throw inUse(place);
    const { tables: former } = await contentOf(client, databaseUrl);
    if (former.length > 0 && !job.replace) throw refuseToReplace(place);
    const { schema } = await schemaOf(client);
    const aside = `deskside_${asideName(job.at).toLowerCase().replaceAll('-', '_')}`;
    const named = (table: string) => `${quoted(schema)}.${quoted(table)}`;
    const counts = Object.keys(job.manifest.rows).map(
      (table) => `select ${literal(table)}, count(*) from ${named(table)}`,
    );
    await restoreInPsql(databaseUrl, {
      before: [
        ...(former.length > 0 ? [`create schema ${quoted(aside)};`] : []),
        ...former.map((table) => `alter table ${named(table)} set schema ${quoted(aside)};`),
      ].join('\n'),
      dump: join(job.backup, dumpName),
      ask: counts.join(' union all '),
      judge: (rows) => checkRows(job, Object.fromEntries(rows.map(([table = '', count]) => [table, Number(count)]))),
      after: noteIn(named('upkeep'), job),
    });
    await job.finish(databaseUrl);
    return former.length > 0 ? aside : null;
  });
}

/** That this is a restored store, should nobody come to finish it. */
function noteIn(upkeep: string, { at, manifest }: Restoring): string {
  const note = restoreNote({ backedUpAt: Date.parse(manifest.made_at), turnsKnown: false });
  const values = [literal('restore'), literal(note), String(at)].join(', ');
  return `delete from ${upkeep} where task = 'restore'; insert into ${upkeep} (task, note, at) values (${values});`;
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
