import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startCrm } from '@deskside/simulators/crm/server';
import { type Generation, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { startReceiver } from '@deskside/simulators/helpdesk/testing/receiver';
import { demo, makeSeed, type Seed, staffEmail } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import { parseConfig } from '#config.ts';
import { Secret } from '#runtime/secret.ts';
import {
  browsers,
  builtExtensionIds,
  desiredOAuthClient,
  desiredWebhook,
  redirectUriOf,
  webhookName,
} from '#setup/desired-state.ts';
import { examine } from '#setup/doctor.ts';
import type { Checked, Said } from '#setup/report.ts';
import { version } from '#version.ts';

export const secrets = {
  webhook: 'c4n4ry-of-the-webhook',
  previous: 'c4n4ry-of-last-month',
  script: 'c4n4ry-of-the-script',
};
export const adminKey = `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`;

/** What a web server in front of the helpdesk may change about its answers. */
export interface Front {
  /** Answers in the helpdesk's place, as JSON, by the last part of the path; undefined leaves it to the helpdesk. */
  answer: (lastPart: string) => unknown;
  /** Added to the time in the `Date` header, and to the CRM's, in milliseconds. */
  aheadMs: number;
  crmAheadMs: number;
  url: string;
}

export interface ClinicOptions {
  generation?: Generation;
  /** Changes the seed before the simulators start. */
  seed?: (seed: Seed) => void;
  noWebhook?: boolean;
}

export type Clinic = Awaited<ReturnType<typeof clinic>>;

/** Both simulators as "provision" leaves them, and the environment of a proxy between them; all ends with the test. */
export async function clinic(options: ClinicOptions = {}) {
  const seed = makeSeed();
  const { documents } = seed.helpdesk;
  documents.Contact = (documents.Contact ?? []).filter(({ owner }) => owner !== demo.forger.name);
  options.seed?.(seed);
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk, generation: options.generation ?? '1.28' });
  const [front, closeFront] = await startFront(helpdesk.url);
  const crm = await startCrm({ seed: seed.crm, now: () => Date.now() + front.crmAheadMs });

  const discovery = { name: 'deskside', version, helpdesk_url: front.url, oauth_client_ids: {} };
  /** What answers at PUBLIC_URL. */
  const atPublicUrl = { status: 200, body: JSON.stringify({ success: true, message: 'Deskside.', data: discovery }) };
  const proxy = await startReceiver(() => atPublicUrl);
  const publicUrl = proxy.url;
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-doctor-'));
  onTestFinished(async () => {
    await closeFront();
    await Promise.all([helpdesk.close(), crm.close(), proxy.close()]);
    await rm(data, { recursive: true, force: true });
  });

  const webhook = { name: webhookName, ...desiredWebhook(publicUrl), webhook_secret: secrets.webhook };
  if (!options.noWebhook) helpdesk.put('Webhook', webhook);
  const ids = browsers.map((browser) => [browser, `deskside-${browser}`] as const);
  for (const [browser, clientId] of ids) {
    const redirectUri = redirectUriOf(browser, builtExtensionIds[browser]);
    helpdesk.registerOAuthClient({ clientId, redirectUri, allowedRoles: ['Agent', 'Agent Manager'] });
    const client = helpdesk.document('OAuth Client', clientId);
    helpdesk.put('OAuth Client', { ...client, name: clientId, ...desiredOAuthClient(browser, redirectUri) });
  }
  front.answer = (method) =>
    method.endsWith('server_script.enabled') ? helpdesk.settings.serverScriptEnabled : undefined;

  const rules = path.join(data, 'rules.json');
  await writeFile(rules, '{ "claims": "hold" }');
  const environment: Record<string, string> = {
    RULES_FILE: rules,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: `file:${data}`,
    HELPDESK_URL: front.url,
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
    front,
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
      const headers = { authorization: `token ${adminKey}`, 'content-type': 'application/json' };
      const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const { ok, status } = await fetch(`${helpdesk.url}/api/resource/${at}`, request);
      if (!ok) throw new Error(`${method} ${at} was answered ${status}.`);
    },
    /** Runs the doctor. `key`: the administrator's, or null for none. */
    examine: (key: string | null = adminKey, withinMs = 15_000): Promise<Checked[]> =>
      examine(parseConfig(environment), null, key === null ? null : new Secret(key), { withinMs }),
  };
}

/** What is said at these levels, as `Check: text`. */
export function saidAt(report: readonly Checked[], ...levels: Said['level'][]): string[] {
  return report.flatMap(({ check, said }) =>
    said.filter(({ level }) => levels.includes(level)).map(({ text }) => `${check}: ${text}`),
  );
}

/** Makes agents inactive. */
export function sendHome(world: Clinic, ids: string[]): void {
  for (const id of ids) world.change('HD Agent', staffEmail(id), { is_active: 0 });
}

/** A web server before the helpdesk: passes everything on, but may set the time and answer itself. */
async function startFront(target: string): Promise<[Front, () => Promise<void>]> {
  const front: Front = { answer: () => undefined, aheadMs: 0, crmAheadMs: 0, url: '' };
  const server = createServer(async (request, response) => {
    const address = new URL(request.url ?? '/', target);
    const date = new Date(Date.now() + front.aheadMs).toUTCString();
    const part = decodeURIComponent(address.pathname.split('/').at(-1) ?? '');
    const given = front.answer(part);
    if (given !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json', date }).end(JSON.stringify({ message: given }));
      return;
    }
    const { method = 'GET', headers } = request;
    const passed = { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' };
    const body = method === 'GET' ? null : await text(request);
    fetch(address, { method, headers: passed, body })
      .then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '', date });
        response.end(await answer.text());
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return [
    front,
    async () => {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  ];
}
