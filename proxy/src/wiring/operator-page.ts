import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFrappeSignIn } from '#adapters/helpdesk-frappe/sign-in/sign-in.ts';
import type { Store } from '#adapters/store-sql/store.ts';
import { createOperatorGate } from '#app/operator/operator-gate.ts';
import type { Config } from '#config/environment.ts';
import { version } from '#config/version.ts';
import type { OperatorPage } from '#http/operator/operator-routes.ts';
import type { PageFile } from '#http/operator/page.ts';
import type { Upstream } from '#net/egress.ts';
import type { Clock } from '#ports/clock.ts';
import { operatorRedirectUri } from '#setup/desired-state.ts';

/** Part of the composition root: the operator page; undefined unless it is switched on. */
export async function wireOperatorPage(parts: {
  config: Config;
  store: Store;
  upstream: Upstream;
  clock: Clock;
}): Promise<OperatorPage | undefined> {
  const { config, store, upstream, clock } = parts;
  if (!config.OPERATOR_UI) return undefined;
  const clientId = config.OAUTH_CLIENT_IDS.operator;
  const origin = config.PUBLIC_URL;
  const signIn =
    clientId !== undefined && origin !== undefined
      ? createFrappeSignIn({ upstream, clientId, redirectUri: operatorRedirectUri(origin) })
      : null;
  return {
    gate: signIn ? createOperatorGate({ helpdesk: signIn, sessions: store.operatorSessions, clock }) : undefined,
    origin,
    files: await readFiles(await folderOfPage()),
    about: { version, helpdeskUrl: config.HELPDESK_URL },
  };
}

/** A built proxy has the page beside it. */
async function folderOfPage(): Promise<string> {
  const beside = fileURLToPath(new URL('./operator', import.meta.url));
  if (existsSync(path.join(beside, 'index.html'))) return beside;
  // From the sources it is built now. Not by its name: the bundle must not hold what builds the page.
  const builder = '@deskside/operator/build';
  const { ensureOperatorPage } = (await import(builder)) as { ensureOperatorPage(): Promise<string> };
  return ensureOperatorPage();
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

async function readFiles(folder: string): Promise<PageFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        const type = types[path.extname(entry.name)] ?? 'application/octet-stream';
        return { name: path.relative(folder, file).replaceAll(path.sep, '/'), type, body: await readFile(file) };
      }),
  );
}
