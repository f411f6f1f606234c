import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchCase, Conditions } from './frame/case.ts';
import type { Row } from './frame/row.ts';

/** A folder for temporary files is often in memory, where waiting for the disk costs nothing. */
const onDisk = fileURLToPath(new URL('../../node_modules/.cache/deskside', import.meta.url));

/** Runs one case in a folder of its own. */
export async function runCase({ measure }: BenchCase, conditions: Omit<Conditions, 'folder'>): Promise<Row[]> {
  const within = conditions.isSmall ? tmpdir() : onDisk;
  await mkdir(within, { recursive: true });
  const folder = await mkdtemp(path.join(within, 'deskside-bench-'));
  try {
    return await measure({ ...conditions, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
