import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * A folder that is made once for each state of what it is made from, by whoever asks first: several processes may find at
 * the same moment that it is missing. Each state has a folder of its own, because replacing one takes it away from whoever
 * is reading it; those of former states go.
 * @param place the folder's path, to which the state is added
 * @param state a later one is a larger number
 * @param make fills an empty folder
 * @returns the path of the folder, which is whole
 */
export async function keepBuild(
  place: string,
  state: number,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const kept = `${place}-${state}`;
  if (existsSync(kept)) return kept;
  const around = path.dirname(place);
  await mkdir(around, { recursive: true });
  const making = await mkdtemp(`${place}.`);
  try {
    await make(making);
    // A folder takes the place of no other that has something in it: the first to be ready stays.
    await rename(making, kept).catch((error: unknown) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  const prefix = `${path.basename(place)}-`;
  const former = (await readdir(around)).filter(
    (name) => name.startsWith(prefix) && Number(name.slice(prefix.length)) < state,
  );
  await Promise.all(former.map((name) => rm(path.join(around, name), { recursive: true, force: true })));
  return kept;
}
