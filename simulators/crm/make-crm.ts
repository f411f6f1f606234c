import { setTimeout as delay } from 'node:timers/promises';
import { answerCall, type CallContext, commandsOf } from '#crm/calls/answer-call.ts';
import type { CrmFault } from '#crm/calls/faults.ts';
import { createOperatingTime, createRequestLimit } from '#crm/calls/limits.ts';
import { errors, parseRestPath, RestError, readParams } from '#crm/http/request.ts';
import { signFileAddresses } from '#crm/methods/field-catalogue.ts';
import type { CrmRecord } from '#seed/types.ts';
import type { CrmCall, CrmJournalEntry, CrmOptions, CrmSimulator, Portal, WebhookName } from './simulator.ts';

const ownerId = '57001';
const webhooks: Record<WebhookName, { secret: string; scopes: string[] }> = {
  main: { secret: 'canarymainsecret01', scopes: ['crm', 'user_basic'] },
  crm_only: { secret: 'canarycrmonlysec02', scopes: ['crm'] },
  responsible: { secret: 'canaryownerhook003', scopes: ['user_basic'] },
};

/** A request as it comes in: a server's, or one within this process. `from`: the client's address, for the limits. */
interface CrmRequest {
  path: string;
  query: string;
  contentType: string;
  body: string;
  from: string;
}

/** What a request is answered. `fault`: what spoils the answer on its way, which the call itself knows nothing of. */
interface CrmAnswer {
  status: number;
  json: string;
  fault: CrmFault | null;
  entry: CrmJournalEntry;
}

/** A simulated portal that listens nowhere. */
interface CrmInProcess {
  simulator: CrmSimulator;
  portal: Portal;
  /** Answers a call of the REST interface; null for any other page. */
  answer(request: CrmRequest): Promise<CrmAnswer | null>;
}

/** A stand-in for a Bitrix24 portal within this process: its REST over incoming webhooks (docs/crm.md). */
export function makeCrm(
  { seed, plan = 'standard', now = Date.now }: Omit<CrmOptions, 'port'>,
  url: string,
): CrmInProcess {
  const byId = (records: readonly CrmRecord[]) => new Map(records.map((record) => [record.ID, record]));
  const portal: Portal = { companies: byId(seed.companies), contacts: byId(seed.contacts), users: byId(seed.users) };
  const limit = createRequestLimit(plan, now);
  const operatingTime = createOperatingTime(() => simulator.operatingSeconds.limit, now);

  async function answer({ path, query, contentType, body, from }: CrmRequest): Promise<CrmAnswer | null> {
    const rest = parseRestPath(path);
    if (!rest) return null;
    const webhook = webhookOf(rest.userId, rest.secret);
    const params = parse(() => readParams(query, contentType, body));
    const call: CrmCall = { method: rest.method, params: params instanceof RestError ? {} : params, webhook };
    if (rest.method === 'batch') call.commands = commandsOf(call.params);
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
      limit(from);
      if (!webhook) throw errors.credentials();
      if (params instanceof RestError) throw params;
    });
    const {
      status,
      body: value,
      error,
    } = refused instanceof RestError
      ? { status: refused.status, body: refused.body(), error: String(refused.code) }
      : answerCall(call, fault, context);
    Object.assign(entry, { status, error });
    const json = signFileAddresses(JSON.stringify(value), `${rest.userId}/${rest.secret}`);
    return { status, json, fault: refused === undefined ? fault : null, entry };
  }

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
    close: async () => {},
  };
  return { simulator, portal, answer };
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
