import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { explainWriting } from './durable.ts';
import { manifestName } from './manifest.ts';

/** As `backUp` names them; by name is by age. */
const madeByUs = /^deskside-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/**
 * Deletes all backups in a folder but the newest, and nothing else that is there.
 *
 * @returns the paths of those that are gone
 * @throws StoreError if one cannot be deleted
 */
export async function keepNewest(folder: string, count: number): Promise<string[]> {
  const named = (await readdir(folder)).filter((name) => madeByUs.test(name)).sort();
  const backups: string[] = [];
  for (const name of named) {
    const path = join(resolve(folder), name);
    const isBackup = await stat(join(path, manifestName)).then(
      () => true,
      () => false,
    );
    if (isBackup) backups.push(path);
  }
  const old = backups.slice(0, Math.max(0, backups.length - count));
  for (const path of old)
    await rm(path, { recursive: true }).catch((error: unknown) => {
      throw explainWriting(error, path);
    });
  return old;
}
