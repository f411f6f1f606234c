import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DiskFacts } from '#setup/doctor/judge/disk.ts';

const databases = ['state.db', 'cache.db'];

/**
 * Examines the data folder or, if it does not exist yet, the nearest folder above. `databaseUrl` as in DATABASE_URL.
 */
export async function gatherDisk(databaseUrl: string): Promise<DiskFacts> {
  const [, given] = /^file:(?:\/\/(?=\/))?(.+)$/.exec(databaseUrl) ?? [];
  if (given === undefined) {
    return { folder: null, kind: 'missing', writable: false, exposed: [], ownedByUs: true, free: null };
  }
  const folder = resolve(given);
  const nearest = await nearestExisting(folder);
  const found = await stat(nearest);
  const missing = nearest !== folder;
  const space = await statfs(nearest).catch(() => null);
  return {
    folder,
    kind: !found.isDirectory() ? 'no_folder' : missing ? 'missing' : 'folder',
    writable: await access(nearest, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ),
    exposed: missing ? [] : await exposedIn(folder, found.mode),
    // Root may use any, and what it makes there it gives to the owner.
    ownedByUs: missing || process.getuid === undefined || [found.uid, 0].includes(process.getuid()),
    free: space && { bytes: space.bavail * space.bsize, share: space.blocks > 0 ? space.bavail / space.blocks : 1 },
  };
}

async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  const above = dirname(path);
  return exists || above === path ? path : nearestExisting(above);
}

/** What every user of the machine can list or read; for files, also what the group can. */
async function exposedIn(folder: string, mode: number): Promise<string[]> {
  const modes = await Promise.all(
    databases.map((name) =>
      stat(join(folder, name)).then(
        (file) => ({ path: join(folder, name), open: (file.mode & 0o044) !== 0 }),
        () => null,
      ),
    ),
  );
  const files = modes.flatMap((file) => (file?.open ? [file.path] : []));
  return (mode & 0o004) !== 0 ? [folder, ...files] : files;
}
