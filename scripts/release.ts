import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildRelease } from '../proxy/build/build-release.ts';
import { root } from './steps.ts';

/** `npm run release`: what an operator installs as one archive, in `proxy/.output`. Compare the digests: the same sources give the same bytes. */
const archive = await buildRelease(path.join(root, 'proxy', '.output'));
const bytes = await readFile(archive);
console.log(
  `${createHash('sha256').update(bytes).digest('hex')}  ${bytes.length} bytes  ${path.relative('.', archive)}`,
);
