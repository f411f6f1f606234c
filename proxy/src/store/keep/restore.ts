import type { Clock } from '#ports/runtime/clock.ts';
import { folderOf, isPostgres } from '#store/engine/database-url.ts';
import { StoreError } from '#store/engine/store-error.ts';
import { openStore } from '#store/store.ts';
import { migrationsOf } from '#store/store-files.ts';
import { explainWriting } from './durable.ts';
import { type Manifest, readBackup } from './manifest.ts';
import { postgresRestoring } from './postgres/restoring.ts';
import { sqliteRestoring } from './sqlite/restoring.ts';

/** A finished restore. `replaced`: where the store that was there before is kept; null if there was none. */
export interface Restored {
  manifest: Manifest;
  replaced: string | null;
}

/**
 * Puts a backup in the place of a store. Everything is checked first: the backup's checksums, the database itself, its
 * rows, that this version can read it, and that no proxy has the store open. What was there before is kept aside. The
 * store then remembers the restore, by which the pipeline takes over what was done since (docs/decisions.md 36).
 *
 * @param backup the folder that `backUp` made
 * @param how.replace whether a store may be replaced that has tables already
 * @throws StoreError with one sentence that says what is wrong; the store is then as it was
 */
export async function restore(
  databaseUrl: string,
  backup: string,
  { replace, clock }: { replace: boolean; clock: Clock },
): Promise<Restored> {
  const manifest = await readBackup(backup);
  checkVersion(backup, manifest);
  const engine = isPostgres(databaseUrl) ? 'postgres' : 'sqlite';
  if (manifest.engine !== engine)
    throw new StoreError(
      `${backup} is of a store on ${named[manifest.engine]}, and DATABASE_URL of one on ${named[engine]}: restore it to the former and use "deskside migrate".`,
    );
  const at = clock();
  const job = { backup, manifest, replace, at, finish: (url: string) => finish(url, manifest, at) };
  const replaced = isPostgres(databaseUrl)
    ? await postgresRestoring(databaseUrl, job)
    : await sqliteRestoring(folderOf(databaseUrl), job).catch((error: unknown) => {
        throw explainWriting(error, folderOf(databaseUrl));
      });
  return { manifest, replaced };
}

const named = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Refuses what this version could not read, before anything is touched. */
function checkVersion(backup: string, { migration, version }: Manifest): void {
  if (!(migration in migrationsOf('sqlite')))
    throw new StoreError(`${backup} was made by a newer version of Deskside (${version}); restore it with that one.`);
}

/** Brings the restored tables up to date, which opening them does, and notes what they are. */
async function finish(databaseUrl: string, manifest: Manifest, at: number): Promise<void> {
  const store = await openStore(databaseUrl);
  try {
    const madeAt = Date.parse(manifest.made_at);
    await store.upkeep.noteBackup(madeAt);
    await store.upkeep.noteRestore({ at, backedUpAt: madeAt, turnsKnown: false });
  } finally {
    await store.close();
  }
}
