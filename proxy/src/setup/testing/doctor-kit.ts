import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCrm } from '@deskside/simulators/crm/server';
import { type Generation, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { startReceiver } from '@deskside/simulators/helpdesk/testing/receiver';
import { demo, makeSeed, staffEmail } from '@deskside/simulators/seed/index';
import type { Command } from 'commander';
import { onTestFinished, vi } from 'vitest';
import { parseConfig } from '#config.ts';
import { Secret } from '#runtime/secret.ts';
import { version } from '#runtime/version.ts';
import { examine } from '#setup/doctor/doctor.ts';
import { browsers, builtExtensionIds, desiredOAuthClient, redirectUriOf } from '#setup/needs/sign-in.ts';
import { desiredWebhook, webhookName } from '#setup/needs/webhook.ts';
import type { CheckReport, Remark } from '#setup/report.ts';
import { callAs } from './run-provision.ts';

export const secrets = {
  webhook: 'c4n4ry-of-the-webhook',
  previous: 'c4n4ry-of-last-month',
  script: 'c4n4ry-of-the-script',
};
export const adminKey = `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`;

const seed = makeSeed();
const { documents } = seed.helpdesk;
documents.Contact = (documents.Contact ?? []).filter(({ owner }) => owner !== demo.forger.name);
// What cannot change is loaded once.
Object.freeze(seed.helpdesk);

export type Clinic = Awaited<ReturnType<typeof clinic>>;

/** Both simulators as "provision" leaves them, and the environment of a proxy between them; all ends with the test. */
export async function clinic(generation: Generation = '1.28') {
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk, generation });
  /** How far the clocks of this machine and of the CRM are ahead of the helpdesk's, in milliseconds. */
  const clocks = { ours: 0, crm: 0 };
  const crm = await startCrm({ seed: seed.crm, now: () => Date.now() + clocks.crm });

  const discovery = { name: 'deskside', version, helpdesk_url: helpdesk.url, oauth_client_ids: {} };
  /** What answers at PUBLIC_URL. */
  const atPublicUrl = { status: 200, body: JSON.stringify({ success: true, message: 'Deskside.', data: discovery }) };
  const proxy = await startReceiver(() => atPublicUrl);
  const publicUrl = proxy.url;
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-doctor-'));
  onTestFinished(async () => {
    await Promise.all([helpdesk.close(), crm.close(), proxy.close()]);
    await rm(data, { recursive: true, force: true });
  });

  helpdesk.put('Webhook', { name: webhookName, ...desiredWebhook(publicUrl), webhook_secret: secrets.webhook });
  const ids = browsers.map((browser) => [browser, `deskside-${browser}`] as const);
  for (const [browser, clientId] of ids) {
    const redirectUri = redirectUriOf(browser, builtExtensionIds[browser]);
    helpdesk.registerOAuthClient({ clientId, redirectUri, allowedRoles: ['Agent', 'Agent Manager'] });
    const client = helpdesk.document('OAuth Client', clientId);
    helpdesk.put('OAuth Client', { ...client, name: clientId, ...desiredOAuthClient(browser, redirectUri) });
  }
  const rules = path.join(data, 'rules.json');
  await writeFile(rules, '{ "claims": "hold" }');
  const environment: Record<string, string> = {
    RULES_FILE: rules,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: `file:${data}`,
    HELPDESK_URL: helpdesk.url,
    HELPDESK_API_KEY: demo.service.apiKey,
    HELPDESK_API_SECRET: demo.service.apiSecret,
    HELPDESK_WEBHOOK_SECRET: `${secrets.webhook},${secrets.previous}`,
    HELPDESK_SCRIPT_SECRET: secrets.script,
    CRM_WEBHOOK_URL: crm.crmOnlyWebhookUrl,
    CRM_RESPONSIBLE_WEBHOOK_URL: crm.responsibleWebhookUrl,
    OAUTH_CLIENT_IDS: JSON.stringify(Object.fromEntries(ids)),
    ALLOW_INSECURE_UPSTREAMS: '1',
  };

  return {
    publicUrl,
    atPublicUrl,
    helpdesk,
    crm,
    clocks,
    data,
    environment,
    /** A document as the site has it, with some fields replaced. */
    change(doctype: string, name: string, fields: Record<string, unknown>): void {
      const document = helpdesk.document(doctype, name);
      if (!document) throw new Error(`There is no ${doctype} ${name}.`);
      helpdesk.put(doctype, { ...document, ...fields });
    },
    /** A write as an administrator makes it. */
    async api(method: string, at: string, body?: object): Promise<void> {
      const { status } = await callAs(demo.administrator, helpdesk, method, `resource/${at}`, body);
      if (status > 299) throw new Error(`${method} ${at} was answered ${status}.`);
    },
    /** What a command prints in this environment; rejects with what it says instead. */
    async run(command: Command, ...options: string[]): Promise<string> {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      const written = vi.spyOn(console, 'log').mockReturnValue();
      try {
        const quiet = command.exitOverride().configureOutput({ writeErr: () => {} });
        await quiet.parseAsync(options, { from: 'user' });
        return written.mock.calls.map(([text]) => `${text}\n`).join('');
      } finally {
        written.mockRestore();
        vi.unstubAllEnvs();
      }
    },
    /** Runs the doctor. `key`: the administrator's, or null for none. */
    examine: (key: string | null = adminKey, withinMs = 15_000): Promise<CheckReport[]> =>
      examine(parseConfig(environment), null, key === null ? null : new Secret(key), {
        withinMs,
        clock: () => Date.now() + clocks.ours,
      }),
  };
}

/** What is said at these levels, as `Check: text`. */
export function saidAt(report: readonly CheckReport[], ...levels: Remark['level'][]): string[] {
  return report.flatMap(({ check, said }) =>
    said.filter(({ level }) => levels.includes(level)).map(({ text }) => `${check}: ${text}`),
  );
}

/** Makes agents inactive. */
export function sendHome(world: Clinic, ids: string[]): void {
  for (const id of ids) world.change('HD Agent', staffEmail(id), { is_active: 0 });
}

export async function useRules({ environment }: Clinic, rules: object): Promise<void> {
  const file = environment.RULES_FILE ?? '';
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...rules }));
}
