import { createHmac, randomUUID } from 'node:crypto';
import { callProxy } from '@deskside/shared/client';
import { demo } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';

/** What went wrong when a proxy was told of a ticket; null if nothing did. Throws if there was no answer. */
export async function tellOfTicket(
  url: string,
  secret: string,
  name: string = demo.tickets.matched,
): Promise<string | null> {
  const body = JSON.stringify({ event: 'after_insert', name, modified: randomUUID() });
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const headers = { 'x-frappe-webhook-signature': signature };
  return statusOf(`${url}/webhooks/helpdesk/ticket/after-insert`, { method: 'POST', body, headers }, 202);
}

/** Likewise when it was asked about a ticket that is just being saved. */
export async function askBeforeInsert(url: string, secret: string): Promise<string | null> {
  const body = JSON.stringify({ key: randomUUID(), custom_orgid: '200000376001' });
  const headers = { 'x-deskside-secret': secret };
  return statusOf(`${url}/webhooks/helpdesk/ticket/before-insert`, { method: 'POST', body, headers }, 200);
}

/** Likewise when it was told that a company of the CRM has changed, none of those that profiles are of: they would never be fresh. */
export async function tellOfCompany(url: string, token: string): Promise<string | null> {
  const body = new URLSearchParams({
    ...{ event: 'ONCRMCOMPANYUPDATE', 'data[FIELDS][ID]': '63031' },
    'auth[application_token]': token,
  });
  return statusOf(`${url}/webhooks/crm/company`, { method: 'POST', body }, 200);
}

/** Likewise when its metrics were read. */
export async function scrape(url: string, token: string): Promise<string | null> {
  return statusOf(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } }, 200);
}

/** Likewise when it was asked whether store and helpdesk work, the latter for the service account. */
export async function askReadiness(url: string): Promise<string | null> {
  return statusOf(`${url}/readyz`, {}, 200);
}

async function statusOf(url: string, init: RequestInit, wanted: number): Promise<string | null> {
  const response = await fetch(url, init);
  const text = await response.text();
  return response.status === wanted ? null : `${response.status} ${text.slice(0, 400)}`;
}

const tickets = [demo.tickets.matched, demo.tickets.onlyTicketOrgId];

/** What is wrong with a profile: it always has a company and an owner, and never a webhook that was refused. */
export async function lookUp(url: string, count: number): Promise<string | null> {
  const ticket = tickets[count % tickets.length] ?? '';
  let without: unknown;
  const told: typeof fetch = (...args) =>
    fetch(...args).catch((error: unknown) => {
      without = error;
      throw error;
    });
  const how = { baseUrl: url, authorization: keyOf(demo.manager), fetch: told };
  const answer = await callProxy('customerProfile', { ticket }, how);
  if (!answer.ok && answer.error.code === 'unreachable') throw without;
  if (!answer.ok) return answer.error.code;
  const { status, error, responsible } = answer.data.bitrix;
  if (responsible?.status === 'error') return 'owner error';
  return status === 'matched' || status === 'cached' ? null : `${status} ${error?.code ?? ''}`;
}
