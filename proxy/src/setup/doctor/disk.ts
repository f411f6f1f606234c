import { constants, type Stats } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type AreaReport, areaReport, finding } from './finding.ts';

const databases = ['state.db', 'cache.db'];

/** The folder of the embedded database. `folder`: null if the data is elsewhere. */
export interface DiskFacts {
  folder: string | null;
  kind: 'folder' | 'missing' | 'no_folder';
  /** Whether files can be created in it, or the folder itself if it does not exist. */
  writable: boolean;
  /** Files in it that the service cannot write. */
  locked: string[];
  /** Folder or files that other users of the machine can read. */
  exposed: string[];
  ownedByUs: boolean;
  free: { bytes: number; share: number } | null;
}

/**
 * Examines the data folder or, if it does not exist yet, the nearest folder above. `databaseUrl` as in DATABASE_URL.
 */
export async function gatherDisk(databaseUrl: string): Promise<DiskFacts> {
  const [, given] = /^file:(?:\/\/(?=\/))?(.+)$/.exec(databaseUrl) ?? [];
  if (given === undefined) {
    return { folder: null, kind: 'missing', writable: false, locked: [], exposed: [], ownedByUs: true, free: null };
  }
  const folder = resolve(given);
  const nearest = await nearestExisting(folder);
  const found = await stat(nearest);
  const missing = nearest !== folder;
  const space = await statfs(nearest).catch(() => null);
  return {
    folder,
    kind: !found.isDirectory() ? 'no_folder' : missing ? 'missing' : 'folder',
    writable: await mayWrite(nearest, found, missing ? 0 : found.uid),
    locked: missing ? [] : await lockedIn(folder, found.uid),
    exposed: missing ? [] : await exposedIn(folder, found.mode),
    // Root may use any, and what it makes there it gives to the owner.
    ownedByUs: missing || process.getuid === undefined || [found.uid, 0].includes(process.getuid()),
    free: space && { bytes: space.bavail * space.bsize, share: space.blocks > 0 ? space.bavail / space.blocks : 1 },
  };
}

/**
 * Whether the service can write there: this account, or where root asks, who may do anything, the account that the folder
 * belongs to.
 */
async function mayWrite(path: string, { uid, mode }: Stats, owner: number): Promise<boolean> {
  if (process.getuid?.() === 0 && owner !== 0) return uid === owner && (mode & 0o200) !== 0;
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function lockedIn(folder: string, owner: number): Promise<string[]> {
  const files = databases.flatMap((name) => ['', '-wal', '-shm'].map((part) => join(folder, `${name}${part}`)));
  const locked = files.map(async (path) => {
    const file = await stat(path).catch(() => null);
    return file === null || (await mayWrite(path, file, owner)) ? [] : [path];
  });
  return (await Promise.all(locked)).flat();
}

async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  const above = dirname(path);
  return found || above === path ? path : nearestExisting(above);
}

/** What every user of the machine can list or read; for files, also what the group can. */
async function exposedIn(folder: string, mode: number): Promise<string[]> {
  const paths = databases.map((name) => join(folder, name));
  const files = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  const open = paths.filter((_, index) => ((files[index]?.mode ?? 0) & 0o044) !== 0);
  return (mode & 0o004) !== 0 ? [folder, ...open] : open;
}

const gibibyte = 2 ** 30;

/**
 * Judges whether data can be stored, readable by us alone, and with enough room: at least 1 GiB or a tenth of the disk.
 */
export function judgeDisk({ folder, kind, writable, locked, exposed, ownedByUs, free }: DiskFacts): AreaReport {
  const area = 'Data folder';
  if (folder === null)
    return areaReport(area, {
      unchecked: ['The data is in PostgreSQL; the proxy reports at startup whether it can be used.'],
    });
  if (kind === 'no_folder' || !writable) {
    const what = kind === 'no_folder' ? 'is not a folder' : 'cannot be written to by the account of the service';
    const remedy = 'Set DATABASE_URL to file:<folder>, and give the account that runs the proxy that folder (chown).';
    const only = finding('data_folder_unusable', `The data folder ${folder} ${what}.`, remedy, folder);
    return areaReport(area, { findings: [only] });
  }
  const left = free === null ? '' : `${Math.floor(free.bytes / 2 ** 20)} MiB`;
  const state = kind === 'missing' ? 'will be created at the first start' : 'can be written to';
  return areaReport(area, {
    findings: [
      locked.length > 0 &&
        finding(
          'data_folder_unusable',
          `The account of the service cannot write to ${locked.join(', ')}.`,
          `Run "chown -R --reference=${folder} ${folder}" and "chmod -R u+rw ${folder}".`,
          locked.join(', '),
        ),
      exposed.length > 0 &&
        finding(
          'data_folder_exposed',
          `Other users of this machine can read ${exposed.join(', ')}, which holds customer data.`,
          `Run "chmod -R go-rwx ${folder}".`,
          exposed.join(', '),
        ),
      !ownedByUs &&
        finding(
          'data_folder_foreign',
          `The data folder ${folder} belongs to an account other than the one that runs this command.`,
          'Run doctor as the account that runs the proxy, or give the folder to that account (chown).',
          folder,
        ),
      free !== null &&
        free.bytes < gibibyte &&
        free.share < 0.1 &&
        finding(
          'disk_nearly_full',
          `The disk of ${folder} has ${left} left; once it is full, no ticket can be accepted.`,
          'Free up space: at least 1 GiB or a tenth of the disk.',
          `${folder}: ${left}`,
        ),
    ],
    fine: `${folder} ${state}, and there is enough space.`,
  });
}
