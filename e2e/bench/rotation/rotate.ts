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

export interface Figures {
  webhooks: { sent: number; failed: string[] };
  profiles: { sent: number; failed: string[] };
  /** Through which webhook the portal was asked. */
  asked: Record<string, number>;
}

/** The helpdesk's secret before and after. */
export const helpdeskSecrets = ['the-helpdesk-secret-before', 'the-helpdesk-secret-after'] as const;

const tickets = [demo.tickets.matched, demo.tickets.onlyTicketOrgId];

/**
 * Replaces the helpdesk's webhook secret and the CRM's webhook while requests come in: signed events of tickets, and
 * profiles of companies that have to be asked for. A profile fails if a refused webhook is to be seen in it.
 *
 * @param perSecond requests of both kinds together
 * @param stepMs how long requests go on between two steps, which is also the time that every proxy has to follow
 */
export async function rotate(
  world: Rotated,
  { perSecond, stepMs }: { perSecond: number; stepMs: number },
): Promise<Figures> {
  const { crm } = world;
  const figures: Figures = { webhooks: { sent: 0, failed: [] }, profiles: { sent: 0, failed: [] }, asked: {} };
  const under = new Set<Promise<void>>();
  let secret: string = helpdeskSecrets[0];
  let isOver = false;
  let count = 0;

  async function send(): Promise<void> {
    count += 1;
    const url = world.urls[count % world.urls.length] ?? '';
    const kind = count % 2 === 0 ? 'webhooks' : 'profiles';
    figures[kind].sent += 1;
    const problem = await (kind === 'webhooks' ? tellOfTicket(url, secret) : lookUp(url, count)).catch(
      (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
    );
    if (problem !== null) figures[kind].failed.push(problem);
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
    await world.set('HELPDESK_WEBHOOK_SECRET', helpdeskSecrets[1], 'next');
    await world.set('CRM_WEBHOOK_URL', crm.crmOnlyWebhookUrl, 'next');
    await wait(stepMs);
    // The helpdesk signs with the new secret, and the portal drops the old webhook.
    [, secret] = helpdeskSecrets;
    crm.fault = ({ webhook }) => (webhook === 'main' ? 'unauthorized' : null);
    await wait(stepMs);
    await Promise.all(under);
    await world.promote('HELPDESK_WEBHOOK_SECRET');
    await world.promote('CRM_WEBHOOK_URL');
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
  return response.status === 202 ? null : `webhook ${response.status}`;
}

/** What is wrong with a profile: it always has a company, and never a webhook that was refused. */
async function lookUp(url: string, count: number): Promise<string | null> {
  const ticket = tickets[count % tickets.length] ?? '';
  const authorization = keyOf(demo.manager);
  const answer = await callProxy('customerProfile', { ticket }, { baseUrl: url, authorization });
  if (!answer.ok) return `profile ${answer.error.code}`;
  const { status, error } = answer.data.bitrix;
  if (status === 'matched' || status === 'cached' || error?.code === 'rate_limited') return null;
  return `profile ${status} ${error?.code ?? ''}`;
}
