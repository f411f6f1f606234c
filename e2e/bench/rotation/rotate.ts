import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { callProxy } from '@deskside/shared/client';
import type { SettingName } from '@deskside/shared/operator/settings';
import type { CrmSimulator } from '@deskside/simulators/crm/server';
import { demo } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';

/** What a rotation needs of the world around it. */
export interface Rotated {
  /** All proxies on the store; requests go to them in turn. */
  urls: readonly string[];
  crm: CrmSimulator;
  /** Puts a secret into the store, in a slot. Every proxy goes by it within `stepMs`. */
  set(name: SettingName, value: string, slot: 'current' | 'next'): Promise<void>;
  /** Makes a secret's next value the current one; likewise. */
  promote(name: SettingName): Promise<void>;
}

/** By whom a request is sent: the helpdesk's webhook and its script, the portal's event, and people who open a profile. */
const kinds = ['webhooks', 'scripts', 'events', 'profiles'] as const;
type Kind = (typeof kinds)[number];

export interface Figures {
  sent: Record<Kind, number>;
  /** What went wrong with each that failed. */
  failed: string[];
  /** Through which webhook the portal was asked. */
  asked: Record<string, number>;
}

/** Secrets that others show to us, before and after. */
export const shownSecrets = {
  HELPDESK_WEBHOOK_SECRET: ['the-helpdesk-secret-before', 'the-helpdesk-secret-after'],
  HELPDESK_SCRIPT_SECRET: ['the-script-secret-before', 'the-script-secret-after'],
  CRM_EVENT_TOKEN: ['the-event-token-before', 'the-event-token-after'],
} as const satisfies Partial<Record<SettingName, readonly [string, string]>>;
const shownNames = ['HELPDESK_WEBHOOK_SECRET', 'HELPDESK_SCRIPT_SECRET', 'CRM_EVENT_TOKEN'] as const;

/** The values of all secrets before, by their names. */
export function secretsBefore(crm: Pick<CrmSimulator, 'webhookUrl'>): [SettingName, string][] {
  return [
    ...shownNames.map((name): [SettingName, string] => [name, shownSecrets[name][0]]),
    ['CRM_WEBHOOK_URL', crm.webhookUrl],
    ['CRM_RESPONSIBLE_WEBHOOK_URL', crm.webhookUrl],
  ];
}

const tickets = [demo.tickets.matched, demo.tickets.onlyTicketOrgId];

/**
 * Replaces every secret that has two values while requests come in of all kinds; profiles are of companies and owners
 * that have to be asked for. A profile fails if a refused webhook is to be seen in it.
 *
 * @param perSecond requests of all kinds together
 * @param stepMs how long requests go on between two steps, which is also the time that every proxy has to follow
 */
export async function rotate(
  world: Rotated,
  { perSecond, stepMs }: { perSecond: number; stepMs: number },
): Promise<Figures> {
  const { crm } = world;
  const figures: Figures = { sent: { webhooks: 0, scripts: 0, events: 0, profiles: 0 }, failed: [], asked: {} };
  const under = new Set<Promise<void>>();
  let nth: 0 | 1 = 0;
  let isOver = false;
  let count = 0;

  const ask: Record<Kind, (url: string) => Promise<string | null>> = {
    webhooks: (url) => tellOfTicket(url, shownSecrets.HELPDESK_WEBHOOK_SECRET[nth]),
    scripts: (url) => askBeforeInsert(url, shownSecrets.HELPDESK_SCRIPT_SECRET[nth]),
    events: (url) => tellOfCompany(url, shownSecrets.CRM_EVENT_TOKEN[nth]),
    profiles: (url) => lookUp(url, count),
  };

  async function send(): Promise<void> {
    count += 1;
    const kind = kinds[count % kinds.length] ?? 'profiles';
    // Each kind, and each profile, goes to every proxy.
    const url = world.urls[Math.floor(count / kinds.length / tickets.length) % world.urls.length] ?? '';
    figures.sent[kind] += 1;
    const problem = await ask[kind](url).catch((error: unknown) =>
      error instanceof Error ? error.message : 'unknown',
    );
    if (problem !== null) figures.failed.push(`${kind}: ${problem}`);
  }

  async function load(): Promise<void> {
    const startedAt = performance.now();
    for (let sent = 0; !isOver; sent += 1) {
      await wait(Math.max(0, startedAt + (sent * 1_000) / perSecond - performance.now()));
      const running: Promise<void> = send().finally(() => under.delete(running));
      under.add(running);
    }
    await Promise.all(under);
  }

  const loading = load();
  try {
    await wait(stepMs);
    for (const name of shownNames) await world.set(name, shownSecrets[name][1], 'next');
    await world.set('CRM_WEBHOOK_URL', crm.crmOnlyWebhookUrl, 'next');
    await world.set('CRM_RESPONSIBLE_WEBHOOK_URL', crm.responsibleWebhookUrl, 'next');
    await wait(stepMs);
    // The others show the new secrets, and the portal drops the old webhook.
    nth = 1;
    crm.fault = ({ webhook }) => (webhook === 'main' ? 'unauthorized' : null);
    await wait(stepMs);
    await Promise.all(under);
    for (const [name] of secretsBefore(crm)) await world.promote(name);
    await wait(stepMs);
  } finally {
    isOver = true;
    await loading;
  }
  for (const { webhook } of crm.journal) figures.asked[webhook ?? 'none'] = (figures.asked[webhook ?? 'none'] ?? 0) + 1;
  return figures;
}

/** What went wrong when a proxy was told of a ticket; null if nothing did. */
export async function tellOfTicket(url: string, secret: string): Promise<string | null> {
  const body = JSON.stringify({ event: 'after_insert', name: demo.tickets.matched, modified: randomUUID() });
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const headers = { 'x-frappe-webhook-signature': signature };
  const response = await fetch(`${url}/webhooks/helpdesk/ticket/after-insert`, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status === 202 ? null : `${response.status}`;
}

/** Likewise when it was asked about a ticket that is just being saved. */
export async function askBeforeInsert(url: string, secret: string): Promise<string | null> {
  const body = JSON.stringify({ key: randomUUID(), custom_orgid: '200000376001' });
  const headers = { 'x-deskside-secret': secret };
  const response = await fetch(`${url}/webhooks/helpdesk/ticket/before-insert`, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status === 200 ? null : `${response.status}`;
}

/** Likewise when it was told that a company of the CRM has changed, none of those that profiles are of: they would never be fresh. */
export async function tellOfCompany(url: string, token: string): Promise<string | null> {
  const body = new URLSearchParams({
    ...{ event: 'ONCRMCOMPANYUPDATE', 'data[FIELDS][ID]': '63031' },
    'auth[application_token]': token,
  });
  const response = await fetch(`${url}/webhooks/crm/company`, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status === 200 ? null : `${response.status}`;
}

/** What is wrong with a profile: it always has a company, and never a webhook that was refused. */
async function lookUp(url: string, count: number): Promise<string | null> {
  const ticket = tickets[Math.floor(count / kinds.length) % tickets.length] ?? '';
  const authorization = keyOf(demo.manager);
  const answer = await callProxy('customerProfile', { ticket }, { baseUrl: url, authorization });
  if (!answer.ok) return answer.error.code;
  const { status, error, responsible } = answer.data.bitrix;
  if (responsible?.status === 'error') return 'owner error';
  if (status === 'matched' || status === 'cached' || error?.code === 'rate_limited') return null;
  return `${status} ${error?.code ?? ''}`;
}
