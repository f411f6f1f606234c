import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { StoreError } from '#store/engine/store-error.ts';

/** What a backup says about itself. `rows`: of every table but those that record migrations. */
const Manifest = z.object({
  format: z.literal(2),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  made_at: z.iso.datetime(),
  /** The last one. */
  migration: z.string(),
  files: z.array(z.object({ name: z.string().regex(/^[\w.]+$/), bytes: z.int(), sha256: z.string() })).min(1),
  rows: z.record(z.string(), z.int()),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestName = 'manifest.json';

/** Size and checksum of a file in a folder, as a manifest lists it. */
export async function describeFile(folder: string, name: string): Promise<Manifest['files'][number]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  return { name, bytes: (await stat(join(folder, name))).size, sha256: hash.digest('hex') };
}

/**
 * Reads a backup's manifest and compares every file with it.
 *
 * @throws StoreError that says what is wrong with the backup
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new StoreError(`${folder} is no backup: it has no readable ${manifestName}.`);
  });
  const manifest = parseManifest(text);
  if (manifest === null)
    throw new StoreError(
      `${join(folder, manifestName)} cannot be read by this version; restore it with the one that made it.`,
    );
  for (const expected of manifest.files) {
    const found = await describeFile(folder, expected.name).catch(() => null);
    if (found === null) throw new StoreError(`The backup ${folder} lacks ${expected.name}.`);
    if (found.sha256 !== expected.sha256)
      throw new StoreError(`${join(folder, expected.name)} is not as it was backed up: its checksum differs.`);
  }
  return manifest;
}

function parseManifest(text: string): Manifest | null {
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
