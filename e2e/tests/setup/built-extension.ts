import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildExtension } from '../../browser/build-extension.ts';

/** Stand for the addresses of a worker's own servers in the extension that is built once for all of them. */
const placeholders = { helpdesk: 'http://127.0.0.1:10001', proxy: 'http://127.0.0.1:10002' };
const variable = 'DESKSIDE_E2E_EXTENSION';

/** Builds the extension once for all workers; what it gives removes it again. */
export async function buildOnce(): Promise<() => Promise<void>> {
  const out = await mkdtemp(path.join(tmpdir(), 'deskside-build-'));
  process.env[variable] = await buildExtension({
    out,
    helpdeskOrigin: placeholders.helpdesk,
    proxyOrigin: placeholders.proxy,
    mode: 'e2e',
  });
  return () => rm(out, { recursive: true, force: true });
}

/** A copy of the built extension in `folder`, for servers at other addresses. */
export async function copyExtension(folder: string, origins: typeof placeholders): Promise<void> {
  const built = process.env[variable];
  if (!built) throw new Error('The extension was not built: run the tests with e2e/playwright.config.ts.');
  await cp(built, folder, { recursive: true });
  let replaced = 0;
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.(js|json|html)$/.test(file)) continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    const own = text.replaceAll(placeholders.helpdesk, origins.helpdesk).replaceAll(placeholders.proxy, origins.proxy);
    if (own === text) continue;
    await writeFile(path.join(folder, file), own);
    replaced += 1;
  }
  if (replaced === 0) throw new Error('The built extension does not hold the addresses that it was built for.');
}
