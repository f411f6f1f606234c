import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answerCall, type CallContext, commandsOf } from '#crm/calls/answer-call.ts';
import { sendSpoilt } from '#crm/calls/faults.ts';
import { createOperatingTime, createRequestLimit } from '#crm/calls/limits.ts';
import { errors, parseRestPath, RestError, readBody, readParams } from '#crm/http/request.ts';
import { signFileAddresses } from '#crm/methods/field-catalogue.ts';
import {
  type CrmCall,
  type CrmJournalEntry,
  type CrmOptions,
  type CrmSimulator,
  createPortal,
  type WebhookName,
} from './simulator.ts';

export type * from './simulator.ts';

const ownerId = '57001';
const webhooks: Record<WebhookName, { secret: string; scopes: string[] }> = {
  main: { secret: 'canarymainsecret01', scopes: ['crm', 'user_basic'] },
  crm_only: { secret: 'canarycrmonlysec02', scopes: ['crm'] },
  responsible: { secret: 'canaryownerhook003', scopes: ['user_basic'] },
};

/** Starts a stand-in for a Bitrix24 portal on 127.0.0.1: its REST over incoming webhooks (docs/crm.md). */
export async function startCrm({
  seed,
  port = 0,
  plan = 'standard',
  now = Date.now,
}: CrmOptions): Promise<CrmSimulator> {
  const portal = createPortal(seed);
  const limit = createRequestLimit(plan, now);
  const operatingTime = createOperatingTime(() => simulator.operatingSeconds.limit, now);

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://portal');
    const path = parseRestPath(url.pathname);
    if (!path) return servePage(url.pathname, response);
    const body = await readBody(request);
    const webhook = webhookOf(path.userId, path.secret);
    const params = parse(() => readParams(url.search.slice(1), request.headers['content-type'] ?? '', body));
    const call: CrmCall = { method: path.method, params: params instanceof RestError ? {} : params, webhook };
    if (path.method === 'batch') call.commands = commandsOf(call.params);
    const entry: CrmJournalEntry = { ...call, status: 0, error: null };
    simulator.journal.push(entry);

    const fault = typeof simulator.fault === 'function' ? simulator.fault(call) : simulator.fault;
    if (simulator.latencyMs > 0) await delay(simulator.latencyMs);
    const context: CallContext = {
      portal,
      scopes: webhook ? simulator.scopes[webhook] : [],
      absentFields: simulator.absentFields,
      fieldTypes: simulator.fieldTypes,
      now,
      operatingTime,
      secondsPerCall: simulator.operatingSeconds.perCall,
    };
    const refused = parse(() => {
      limit(request.socket.remoteAddress ?? '');
      if (!webhook) throw errors.credentials();
      if (params instanceof RestError) throw params;
    });
    const answer =
      refused instanceof RestError
        ? { status: refused.status, body: refused.body(), error: String(refused.code) }
        : answerCall(call, fault, context);
    const json = signFileAddresses(JSON.stringify(answer.body), `${path.userId}/${path.secret}`);
    const spoilt = refused === undefined ? sendSpoilt(fault, response, json) : null;
    entry.status = spoilt ?? answer.status;
    entry.error = spoilt === null ? answer.error : null;
    if (spoilt === null)
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(json);
  }

  function servePage(path: string, response: ServerResponse): void {
    const company = portal.companies.get(/^\/crm\/company\/details\/(\d+)\/$/.exec(path)?.[1] ?? '');
    response
      .writeHead(company ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(company, null, 2));
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addressOf = (name: WebhookName) => `${url}/rest/${ownerId}/${webhooks[name].secret}/`;

  const simulator: CrmSimulator = {
    url,
    webhookUrl: addressOf('main'),
    crmOnlyWebhookUrl: addressOf('crm_only'),
    responsibleWebhookUrl: addressOf('responsible'),
    scopes: {
      main: [...webhooks.main.scopes],
      crm_only: [...webhooks.crm_only.scopes],
      responsible: [...webhooks.responsible.scopes],
    },
    absentFields: new Set(),
    fieldTypes: new Map(),
    secrets: Object.values(webhooks).map(({ secret }) => secret),
    journal: [],
    clearJournal: () => simulator.journal.splice(0),
    fault: null,
    latencyMs: 0,
    operatingSeconds: { perCall: 0.05, limit: 480 },
    company: (id) => portal.companies.get(id),
    putCompany: (record) => portal.companies.set(record.ID, record),
    removeCompany: (id) => portal.companies.delete(id),
    putContact: (record) => portal.contacts.set(record.ID, record),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return simulator;
}

function webhookOf(userId: string, secret: string): WebhookName | null {
  const names = Object.keys(webhooks) as WebhookName[];
  return names.find((name) => userId === ownerId && webhooks[name].secret === secret) ?? null;
}

/** What the function gives, or the RestError that it throws. */
function parse<T>(read: () => T): T | RestError {
  try {
    return read();
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}
