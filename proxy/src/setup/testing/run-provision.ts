import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { demo, type HelpdeskSeed, type HelpdeskUserSeed, keyOf } from '@deskside/simulators/seed/index';
import { expect, onTestFinished } from 'vitest';
import { readVariables } from '#commands/settings.ts';
import type { ProvisionOptions } from '#setup/provision/provision.ts';
import { runProvision } from '#setup/provision/provision.ts';

// Setup of the `provision` tests: the whole command against a simulated helpdesk.

export const keys = {
  sysonly: 'office-sysonly:office-sysonly-secret',
  Administrator: 'administrator:administrator-secret',
  agent: 'agent-an:agent-an-secret',
};
export const secrets = {
  HELPDESK_WEBHOOK_SECRET: 'webhook-secret-of-the-test',
  HELPDESK_SCRIPT_SECRET: 'script-secret-of-the-test',
};

/** A fresh helpdesk: none of the specification's fields. */
export const bare = (seed: HelpdeskSeed) => {
  seed.customFields = {};
  delete seed.protectedFields;
  delete seed.closedContacts;
  delete seed.closedShares;
};

export interface ProvisionResult {
  code: number;
  out: string;
  /** Requests that could change something, as `METHOD path status`. */
  writes: string[];
}

/**
 * @param environment over the file of settings
 * @param folder where the files of settings and rules are, and the store
 */
export async function run(
  simulator: HelpdeskSimulator,
  options: Partial<ProvisionOptions> = {},
  environment: Record<string, string | undefined> = {},
  folder = folderOf(simulator),
): Promise<ProvisionResult> {
  simulator.clearJournal();
  const file = path.join(folder, 'deskside.env');
  const over = {
    HELPDESK_URL: simulator.url,
    PUBLIC_URL: 'https://deskside.example',
    ALLOW_INSECURE_UPSTREAMS: '1',
    DESKSIDE_ADMIN_KEY: keys.sysonly,
    ...secrets,
    ...environment,
  };
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const { code } = await runProvision(
    { extensionId: [], yes: true, ...options },
    { file, variables: readVariables(file, { over, mayMiss: true }) },
    { print, printError: print, ask: null },
  );
  const out = lines.join('\n');
  for (const secret of [...Object.values(secrets), ...Object.values(keys)]) expect(out).not.toContain(secret);
  const writes = simulator.journal
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
  return { code, out, writes };
}

const folders = new WeakMap<HelpdeskSimulator, string>();

/** The folder of the settings for a helpdesk, from one run to the next. The operator has chosen already what claims do. */
function folderOf(simulator: HelpdeskSimulator): string {
  const known = folders.get(simulator);
  if (known !== undefined) return known;
  const folder = settingsFolder();
  writeFileSync(path.join(folder, 'rules.json'), '{ "claims": "hold" }');
  folders.set(simulator, folder);
  onTestFinished(() => void folders.delete(simulator));
  return folder;
}

/** A folder for settings, with nothing in it. */
export function settingsFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-provision-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The OAuth client ids that were printed. */
export function idsOf(out: string): Record<string, string> {
  return JSON.parse(/OAUTH_CLIENT_IDS=(.*)/.exec(out)?.[1] ?? '{}');
}

/** A call of the API as somebody, and what was answered. */
export async function callAs(
  user: HelpdeskUserSeed,
  { url }: { url: string },
  method: string,
  at: string,
  body?: object,
) {
  const response = await fetch(`${url}/api/${at}`, {
    method,
    headers: { authorization: keyOf(user), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as { data?: unknown; message?: unknown };
  return { status: response.status, data: (data ?? message ?? {}) as Record<string, unknown> };
}

/** All documents of a kind, or those that the filters let through, as Administrator sees them. */
export async function listAll(
  site: { url: string },
  doctype: string,
  filters: [field: string, op: string, value: string][] = [],
) {
  const all = { fields: '["*"]', filters: JSON.stringify(filters), order_by: 'name asc', limit_page_length: '0' };
  const { data } = await callAs(demo.administrator, site, 'GET', `resource/${doctype}?${new URLSearchParams(all)}`);
  return data as unknown as Record<string, unknown>[];
}

/** A new ticket, as an agent. */
export const createTicket = (site: { url: string }, fields: object) =>
  callAs(demo.agent, site, 'POST', 'resource/HD Ticket', fields);
