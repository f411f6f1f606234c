import { setTimeout as delay } from 'node:timers/promises';
import { issueToken } from './access/oauth-tokens.ts';
import { allLevels } from './access/permissions.ts';
import type { HelpdeskOptions, HelpdeskSimulator, JournalEntry, Mail } from './api.ts';
import { createSite } from './create-site.ts';
import { finishInsert, newDraft, saveDocument, updateDocument } from './documents/documents.ts';
import { storeMessage } from './hooks/ticket.ts';
import { faultAnswer, type Outgoing, refusedLine } from './http/faults.ts';
import { escapeHtml } from './http/html.ts';
import { handleApi } from './routes/api.ts';
import { place } from './seeding/place.ts';
import { insertWithScripts } from './server-scripts/run.ts';
import { type Actor, lookup, type Site } from './site/site.ts';
import type { StoredDocument } from './store/store.ts';

/** A simulated helpdesk that listens nowhere. */
export interface HelpdeskInProcess {
  simulator: HelpdeskSimulator;
  site: Site;
  /** Answers a request of the API. `outgoing`: where the answer goes, for the fault that breaks it off. */
  answer(request: Request, outgoing?: Outgoing): Promise<Response>;
  /**
   * Changes a document as the API does for somebody who may, or makes one of this name, at once: with checks, log and rules,
   * but without Server Scripts. Gives it as it is then. Throws a FrappeError.
   */
  save(user: string, doctype: string, name: string, values: Record<string, unknown>): StoredDocument;
}

/**
 * A stand-in for Frappe Helpdesk within this process. It speaks the part of the REST API that Deskside and its demo use,
 * with the behaviour recorded from real sites (recordings/).
 */
export function makeHelpdesk(options: Omit<HelpdeskOptions, 'port'>): HelpdeskInProcess {
  const { generation = '1.28' } = options;
  const closing = new AbortController();
  const site = createSite(options.seed, generation, options.now ?? Date.now, closing.signal);
  const journal: JournalEntry[] = [];
  const simulator: HelpdeskSimulator = {
    url: '',
    generation,
    journal,
    clearJournal: () => journal.splice(0),
    document: (doctype, name) => lookup(site, doctype, name),
    put: (doctype, document) => place(site, doctype, document),
    registerOAuthClient: (client) => registerClient(site, client),
    settings: site.settings,
    webhooks: site.webhooks,
    insertTicket: (user, values, { portal = false } = {}) => insertTicket(site, user, values, portal),
    receiveMail: (mail) => receiveMail(site, mail),
    latency: () => 0,
    fault: null,
    sessionFor: (user) => sessionFor(site, user),
    setRoles: (user, roles) => changeAccount(site, user, { roles: [...roles] }),
    setApiSecret: (user, apiSecret) => changeAccount(site, user, { apiSecret }),
    accessTokenFor: (user, clientId) => issueToken(site, clientId, user, 'all openid').accessToken,
    close: async () => closing.abort(),
  };
  return {
    simulator,
    site,
    answer: (request, outgoing = null) => answerApi(site, simulator, request, outgoing),
    save: (user, doctype, name, values) => saveAs(site, user, doctype, name, values),
  };
}

function saveAs(
  site: Site,
  user: string,
  doctypeName: string,
  name: string,
  values: Record<string, unknown>,
): StoredDocument {
  const actor = { user, messages: [] };
  const doctype = site.metadata.get(doctypeName);
  const levels = allLevels(doctype);
  const before = site.store.find(doctype, name);
  if (before !== undefined) return saveDocument(site, actor, doctype, before, values, levels);
  return finishInsert(site, newDraft(site, actor, doctype, values, levels), name);
}

async function answerApi(
  site: Site,
  simulator: HelpdeskSimulator,
  request: Request,
  outgoing: Outgoing | null,
): Promise<Response> {
  const url = new URL(request.url);
  const entry: JournalEntry = {
    method: request.method,
    path: decodePath(url.pathname),
    query: Object.fromEntries(url.searchParams),
    user: 'Guest',
    status: 0,
  };
  simulator.journal.push(entry);
  const wait = simulator.latency(entry);
  if (typeof wait !== 'number') await wait;
  else if (wait > 0) await delay(wait);
  const fault = simulator.fault?.(entry) ?? null;
  const answer =
    refusedLine(request) ??
    (fault === null
      ? await handleApi(site, request, (user) => {
          entry.user = user;
        })
      : await faultAnswer(fault, outgoing));
  entry.status = answer.status;
  return answer;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function registerClient(site: Site, client: Parameters<HelpdeskSimulator['registerOAuthClient']>[0]): void {
  place(site, 'OAuth Client', {
    name: client.clientId,
    client_id: client.clientId,
    app_name: 'Deskside',
    scopes: 'all openid',
    redirect_uris: client.redirectUri,
    default_redirect_uri: client.redirectUri,
    grant_type: 'Authorization Code',
    response_type: 'Code',
    skip_authorization: 1,
    allowed_roles: client.allowedRoles.map((role) => ({ role })),
  });
}

async function insertTicket(
  site: Site,
  user: string,
  values: Record<string, unknown>,
  portal: boolean,
): Promise<string> {
  const actor = { user, messages: [] };
  const all = portal ? { ...values, via_customer_portal: 1 } : values;
  return (await insertWithScripts(site, actor, site.metadata.get('HD Ticket'), all)).name;
}

function sessionFor(site: Site, user: string): string {
  if (!site.accounts.has(user)) throw new Error(`the seed has no user ${user}`);
  return site.sessions.start(user).sid;
}

function changeAccount(site: Site, user: string, change: { roles: string[] } | { apiSecret: string }): void {
  const account = site.accounts.get(user);
  if (account === undefined) throw new Error(`the seed has no user ${user}`);
  site.accounts.set(user, { ...account, ...change });
}

/**
 * Makes a ticket of a message, as the helpdesk's inbox does: Administrator inserts it with subject and sender alone, so
 * webhooks see no description; the message itself and the description come with a later save
 * (docs/helpdesk.md#inserting-a-ticket). Gives the ticket's name.
 */
async function receiveMail(site: Site, { from, subject, text, group }: Mail): Promise<string> {
  const actor: Actor = { user: 'Administrator', messages: [] };
  const doctype = site.metadata.get('HD Ticket');
  const { name } = await insertWithScripts(site, actor, doctype, {
    ...{ subject, raised_by: from },
    ...(group !== undefined && { agent_group: group }),
  });
  const description = `<div>${escapeHtml(text).replaceAll(/\r?\n/g, '<br>')}</div>`;
  const ticket = lookup(site, 'HD Ticket', name);
  if (ticket !== undefined) storeMessage(site, ticket, description);
  updateDocument(site, actor, doctype, name, { description });
  return name;
}
