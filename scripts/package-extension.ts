import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { browsers, packageExtension } from '../e2e/browser/build-extension.ts';
import { optionalPrograms } from '../testing/programs.ts';

/**
 * `npm run package:extension`: a zip for each browser's store, in `extension/.output`, and what Mozilla's linter says of
 * the one for Firefox. The same sources give the same bytes: compare the digests.
 */
const { HELPDESK_ORIGIN: helpdeskOrigin = '', PROXY_ORIGIN: proxyOrigin = '' } = process.env;
const out = fileURLToPath(new URL('../extension/.output', import.meta.url));
try {
  for (const browser of browsers) {
    const file = await packageExtension({ out, browser, helpdeskOrigin, proxyOrigin });
    const bytes = await readFile(file);
    console.log(
      `${createHash('sha256').update(bytes).digest('hex')}  ${bytes.length} bytes  ${path.relative('.', file)}`,
    );
    if (browser === 'firefox') lint(file);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function lint(file: string): void {
  const { find, install, how } = optionalPrograms['addons-linter'];
  if (find() === null) install();
  const linter = find();
  if (linter === null) throw new Error(`Mozilla's linter could not be installed. ${how}`);
  const { status } = spawnSync(process.execPath, [linter, '--warnings-as-errors', file], { stdio: 'inherit' });
  if (status !== 0) throw new Error("Mozilla's linter has something to say; see above.");
}
