import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';

/** What a backup says about itself. `rows`: of every table but those that record migrations. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  made_at: z.iso.datetime(),
  /** The last migration of each set of tables. */
  migrations: z.record(z.string(), z.string()),
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
