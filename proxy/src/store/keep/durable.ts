import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolders, whoMayWrite } from '#store/engine/folders.ts';
import { StoreError } from '#store/engine/store-error.ts';

/** Waits until a file, or the entries of a folder, are on the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Fills a new folder that nobody else can read: under another name until it is whole and on the disk, so that what has
 * the name is never half of it. Nothing stays if filling it fails.
 *
 * @param fill makes files in the folder and names them
 */
export async function makeFolder<T>(
  path: string,
  fill: (partial: string) => Promise<{ names: string[]; result: T }>,
): Promise<T> {
  const target = resolve(path);
  const partial = `${target}.partial`;
  makeFolders(dirname(target));
  await mkdir(partial, { mode: 0o700 });
  try {
    const { names, result } = await fill(partial);
    for (const name of names) {
      await chmod(join(partial, name), 0o600);
      await sync(join(partial, name));
    }
    await sync(partial);
    await rename(partial, target);
    await sync(dirname(target));
    return result;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** What the system refuses, as one sentence about what could not be written; other errors as they are. */
export function explainWriting(error: unknown, what: string): unknown {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  return code && syscall
    ? new StoreError(`${what} cannot be written (${code}).${path ? whoMayWrite(path) : ''}`)
    : error;
}
