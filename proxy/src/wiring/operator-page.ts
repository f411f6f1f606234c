import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReadRoles } from '#adapters/helpdesk-frappe/sign-in/read-roles.ts';
import { createFrappeSignIn } from '#adapters/helpdesk-frappe/sign-in/sign-in.ts';
import { createRedactor } from '#adapters/log-json/redactor.ts';
import type { Store } from '#adapters/store-sql/store.ts';
import type { CredentialPools } from '#app/access/credential-pools.ts';
import { createOperatorGate, type OperatorGate } from '#app/operator/operator-gate.ts';
import type { RecentCrm } from '#app/operator/recent-crm.ts';
import { examine } from '#checks/doctor.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, secretsOf } from '#config/environment.ts';
import type { OperatorPage } from '#http/operator/operator-routes.ts';
import type { PageFile } from '#http/operator/page.ts';
import type { Upstream } from '#net/egress.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Metrics } from '#ports/runtime/metrics.ts';
import { operatorRedirectUri } from '#setup/desired-state.ts';
import { cleaned } from '#setup/doctor/print-report.ts';
import { serviceKeyOf } from './service-account.ts';

/** Part of the composition root: the operator page; undefined unless it is switched on. */
export async function wireOperatorPage(config: Config): Promise<OperatorPage | undefined> {
  if (!config.OPERATOR_UI) return undefined;
  return {
    signInKey: createHmac('sha256', serviceKeyOf(config)).update('operator sign-in').digest('base64url'),
    origin: config.PUBLIC_URL,
    files: await readFiles(await folderOfPage()),
  };
}

/** Lets operators in; undefined while signing in is not set up. */
export function wireOperatorGate(parts: {
  config: Config;
  store: Pick<Store, 'operatorSessions'>;
  upstream: Upstream;
  pools: CredentialPools;
  clock: Clock;
}): OperatorGate | undefined {
  const { config, store, upstream, pools, clock } = parts;
  const clientId = config.OAUTH_CLIENT_IDS.operator;
  const origin = config.PUBLIC_URL;
  if (clientId === undefined || origin === undefined) return undefined;
  return createOperatorGate({
    helpdesk: createFrappeSignIn({ upstream, clientId, redirectUri: operatorRedirectUri(origin) }),
    readRoles: createReadRoles(upstream, `token ${serviceKeyOf(config)}`),
    sessions: store.operatorSessions,
    pools,
    clock,
  });
}

/** What `doctor` finds without an administrator's key, which the proxy never has. */
export async function findingsFor(config: Config, clock: Clock) {
  const hide = createRedactor(secretsOf(config), crmAdapter.maskSecrets);
  const { verdicts } = cleaned(await examine(config, { adminKey: null, clock }), hide);
  return {
    findings: verdicts.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding }))),
    not_checked: verdicts.flatMap(({ area, unchecked }) => unchecked.map((why) => ({ area, why }))),
  };
}

/** What the proxy asks the CRM, seen by the page as well as by the metrics. */
export function alsoSeenBy<M extends Metrics>(metrics: M, recent: RecentCrm): M {
  return {
    ...metrics,
    crmAnswered(request) {
      metrics.crmAnswered(request);
      recent.note(request);
    },
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
