import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock } from '#ports/runtime/clock.ts';
import { folderOf, isPostgres } from '#store/engine/database-url.ts';
import { explainWriting, makeFolder } from './durable.ts';
import { describeFile, type Manifest, manifestName } from './manifest.ts';
import { postgresCopying } from './postgres/copying.ts';
import { sqliteCopying } from './sqlite/copying.ts';

/** A finished backup: its folder, and what its manifest says. */
export interface MadeBackup {
  path: string;
  manifest: Manifest;
}

/**
 * Backs up a store while proxies work on it, into a folder of its own that is whole as soon as it has its name. Nothing
 * is migrated. The store remembers when it was last backed up.
 *
 * @param into the folder for backups; made if it does not exist
 * @param about.version ours, for the manifest
 * @throws StoreError with one sentence that says what is wrong; it never contains a password
 */
export async function backUp(
  databaseUrl: string,
  into: string,
  { version, clock }: { version: string; clock: Clock },
): Promise<MadeBackup> {
  const copying = isPostgres(databaseUrl) ? postgresCopying(databaseUrl) : sqliteCopying(folderOf(databaseUrl));
  const at = clock();
  const madeAt = new Date(at).toISOString();
  const path = join(resolve(into), `deskside-${madeAt.replaceAll(/[:.]/g, '-')}`);
  const manifest = await makeFolder(path, async (partial) => {
    const { names, migration, rows } = await copying.copyInto(partial);
    const files = await Promise.all(names.map((name) => describeFile(partial, name)));
    const result: Manifest = {
      format: 2,
      version,
      engine: copying.engine,
      made_at: madeAt,
      migration,
      files,
      rows,
    };
    await writeFile(join(partial, manifestName), `${JSON.stringify(result, null, 2)}\n`, { mode: 0o600 });
    return { names: [...names, manifestName], result };
  }).catch((error: unknown) => {
    throw explainWriting(error, `The backup ${path}`);
  });
  await copying.remember(at);
  return { path, manifest };
}
