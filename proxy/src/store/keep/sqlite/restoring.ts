import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwner } from '#store/engine/folder-owner.ts';
import { makeFolders } from '#store/engine/folders.ts';
import { StoreError } from '#store/engine/store-error.ts';
import { sync } from '#store/keep/durable.ts';
import { asideName, checkRows, inUse, type Restoring, refuseToReplace } from '#store/keep/restoring.ts';
import { storeFiles } from '#store/store-files.ts';
import { makeSingle, namesIn, readContent, withSqliteFile } from './file.ts';

const stagedPrefix = 'restoring-';

/** Restores into a folder; gives where the former files are kept, null if there were none. Throws StoreError. */
export async function sqliteRestoring(folder: string, job: Restoring): Promise<string | null> {
  const former = storeFiles.filter(({ name }) => existsSync(join(folder, name)));
  let isEmpty = true;
  for (const file of former) isEmpty = (await release(join(folder, file.name), file.kind)) && isEmpty;
  if (!isEmpty && !job.replace) throw refuseToReplace(folder);

  makeFolders(folder);
  // What a restore that was killed has left.
  for (const name of await readdir(folder))
    if (name.startsWith(stagedPrefix)) await rm(join(folder, name), { recursive: true, force: true });
  const staged = await mkdtemp(join(folder, stagedPrefix));
  try {
    await stage(staged, job);
    const aside = former.length > 0 ? join(folder, asideName(job.at)) : null;
    if (aside !== null) {
      await mkdir(aside, { mode: 0o700 });
      giveToOwner(aside);
    }
    // The cache first: should this be interrupted, state.db is the old one as a whole, and it can be done again.
    for (const { name } of [...storeFiles].sort((a, b) => a.name.localeCompare(b.name))) {
      if (aside !== null && existsSync(join(folder, name))) await keepAside(folder, name, aside);
      giveToOwner(join(staged, name), folder);
      await rename(join(staged, name), join(folder, name));
    }
    await sync(folder);
    return aside;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/**
 * Makes a file of the former store a single one, which only works while nobody has it open. Gives whether it has no
 * tables. A damaged one counts as having some: it may well be the reason for the restore.
 */
async function release(path: string, kind: (typeof storeFiles)[number]['kind']): Promise<boolean> {
  const [hasTables, isFree] = await withSqliteFile(path, kind, (database) => [
    namesIn(database).length > 0,
    makeSingle(database),
  ]).catch((error: unknown) => {
    if (error instanceof StoreError && /\(SQLITE_(NOTADB|CORRUPT)/.test(error.message)) return [true, true] as const;
    throw error;
  });
  if (!isFree) throw inUse(path);
  return !hasTables;
}

/** Copies the backup, checks it, and brings it up to date, beside the store. */
async function stage(staged: string, job: Restoring): Promise<void> {
  const rows: Record<string, number> = {};
  const files = storeFiles.filter(({ name }) => job.manifest.files.some((file) => file.name === name));
  for (const { name, kind } of files) {
    await copyFile(join(job.backup, name), join(staged, name));
    Object.assign(rows, (await withSqliteFile(join(staged, name), kind, readContent)).rows);
  }
  checkRows(job, rows);
  await job.finish(`file:${staged}`);
  for (const { name, kind } of storeFiles) {
    await withSqliteFile(join(staged, name), kind, makeSingle);
    await sync(join(staged, name));
  }
}

/** A second name for the file, so that there is no moment without one under the first. */
async function keepAside(folder: string, name: string, aside: string): Promise<void> {
  await link(join(folder, name), join(aside, name)).catch(() => copyFile(join(folder, name), join(aside, name)));
  // Only a damaged file still has any; they would be taken for the restored one's.
  for (const end of ['-wal', '-shm'])
    if (existsSync(join(folder, name + end))) await rename(join(folder, name + end), join(aside, name + end));
  await sync(aside);
}
