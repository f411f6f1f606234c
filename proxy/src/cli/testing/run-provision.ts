import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import type { HelpdeskSeed } from '@deskside/simulators/seed/index';
import { expect, onTestFinished } from 'vitest';
import { runProvision } from '#cli/setup/provision.ts';
import type { ProvisionOptions } from '#cli/setup/provision-settings.ts';

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
/** The operator has chosen already. */
const holding = fileURLToPath(new URL('./hold.json', import.meta.url));

/** A fresh helpdesk: none of the specification's fields. */
export const bare = (seed: HelpdeskSeed) => {
  seed.customFields = {};
  delete seed.protectedFields;
  delete seed.closedContacts;
};

export interface Run {
  code: number;
  out: string;
  /** Requests that could change something, as `METHOD path status`. */
  writes: string[];
}

export async function run(
  simulator: HelpdeskSimulator,
  options: Partial<ProvisionOptions> = {},
  environment: Record<string, string | undefined> = {},
  answer: boolean | readonly string[] | null = null,
): Promise<Run> {
  simulator.clearJournal();
  const data = storeOf(simulator);
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const answers = answer === true ? ['y'] : answer === false ? ['n'] : [...(answer ?? [])];
  const nextAnswer = async (question: string) => {
    print(question);
    return answers.shift() ?? '';
  };
  const ask = answer === null ? null : nextAnswer;
  const code = await runProvision(
    { browsers: 'chrome,edge,firefox', extensionId: [], yes: true, ...options },
    {
      HELPDESK_URL: simulator.url,
      PUBLIC_URL: 'https://deskside.example',
      ALLOW_INSECURE_UPSTREAMS: '1',
      DESKSIDE_ADMIN_KEY: keys.sysonly,
      RULES_FILE: holding,
      DATABASE_URL: `file:${data}`,
      ...secrets,
      ...environment,
    },
    { print, printError: print, ask },
  );
  const out = lines.join('\n');
  for (const secret of [...Object.values(secrets), ...Object.values(keys)]) expect(out).not.toContain(secret);
  const writes = simulator.journal
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
  return { code, out, writes };
}

const stores = new WeakMap<HelpdeskSimulator, string>();

/** The store beside a helpdesk, from one run to the next. */
function storeOf(simulator: HelpdeskSimulator): string {
  const known = stores.get(simulator);
  if (known !== undefined) return known;
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-provision-'));
  stores.set(simulator, folder);
  onTestFinished(() => {
    stores.delete(simulator);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** The OAuth client ids that were printed. */
export function idsOf(out: string): Record<string, string> {
  return JSON.parse(/OAUTH_CLIENT_IDS=(.*)/.exec(out)?.[1] ?? '{}');
}

/** A new ticket, as an agent. */
export async function createTicket(simulator: HelpdeskSimulator, fields: object) {
  const response = await fetch(`${simulator.url}/api/resource/HD Ticket`, {
    method: 'POST',
    headers: { authorization: `token ${keys.agent}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return { status: response.status, ...((await response.json()) as { data?: Record<string, unknown> }) };
}
