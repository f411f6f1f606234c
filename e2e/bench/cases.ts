import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from './cases/cached.ts';
import { memory } from './cases/memory.ts';
import { panel } from './cases/panel.ts';
import { cold, mixed, stale } from './cases/profiles.ts';
import { routed } from './cases/routed.ts';
import { start } from './cases/start.ts';
import type { BenchCase, Conditions, Row } from './frame/row.ts';

/** What `npm run bench` measures, in the order of its table. */
export const benchCases: readonly BenchCase[] = [cached, stale, cold, mixed, routed, start, memory, panel];

/** A folder for temporary files is often in memory, where waiting for the disk costs nothing. */
const onDisk = fileURLToPath(new URL('../../node_modules/.cache/deskside', import.meta.url));

/** Runs one case in a folder of its own. */
export async function runCase({ measure }: BenchCase, conditions: Omit<Conditions, 'folder'>): Promise<Row[]> {
  await mkdir(onDisk, { recursive: true });
  const folder = await mkdtemp(path.join(onDisk, 'bench-'));
  try {
    return await measure({ ...conditions, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
