import { setTimeout as delay } from 'node:timers/promises';
import { tryDecodeURIComponent } from 'hono/utils/url';
import { issueToken } from '#helpdesk/access/oauth-tokens.ts';
import { allLevels } from '#helpdesk/access/permissions.ts';
import { finishInsert, newDraft, saveDocument, updateDocument } from '#helpdesk/documents/documents.ts';
import { storeMessage } from '#helpdesk/hooks/ticket.ts';
import { escapeHtml } from '#helpdesk/http/envelope.ts';
import { faultAnswer, type Outgoing, refusedLine } from '#helpdesk/http/faults.ts';
import { handleApi } from '#helpdesk/routes/api.ts';
import { loadSeed } from '#helpdesk/seeding/load-seed.ts';
import { insertWithScripts } from '#helpdesk/server-scripts/run.ts';
import { place } from '#helpdesk/site/place.ts';
import {
  type Actor,
  documentsOf,
  type FakeSite,
  JobWorker,
  lookup,
  OAuthState,
  Sessions,
  siteClock,
} from '#helpdesk/site/site.ts';
import { DoctypeRegistry } from '#helpdesk/store/metadata.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { DocumentStore } from '#helpdesk/store/store.ts';
import type { HelpdeskSeed, HelpdeskUserSeed } from '#seed/types.ts';
import type {
  ApiAnswer,
  ApiRequest,
  Generation,
  HelpdeskOptions,
  HelpdeskSettings,
  HelpdeskSimulator,
  JournalEntry,
  Mail,
} from './api.ts';

/** A simulated helpdesk that listens nowhere. */
export interface HelpdeskInProcess {
  simulator: HelpdeskSimulator;
  site: FakeSite;
  /** Answers a request of the API. `outgoing`: where the answer goes, for the fault that breaks it off. */
  answer(request: ApiRequest, outgoing?: Outgoing): Promise<ApiAnswer>;
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
    document: (doctype, name) => structuredClone(lookup(site, doctype, name)),
    documents: (doctype) => documentsOf(site, doctype),
    put: (doctype, document) => place(site, doctype, document),
    registerOAuthClient: (client) => registerClient(site, client),
    settings: site.settings,
    webhooks: site.webhooks,
    insertTicket: (user, values, { portal = false } = {}) => insertTicket(site, user, values, portal),
    receiveMail: (mail) => receiveMail(site, mail),
    latency: () => 0,
    fault: null,
    sessionFor: (user) => site.sessions.start(accountOf(site, user).name).sid,
    setRoles: (user, roles) => void site.accounts.set(user, { ...accountOf(site, user), roles: [...roles] }),
    accessTokenFor: (user) => issueToken(site, user),
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
  site: FakeSite,
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
  site: FakeSite,
  simulator: HelpdeskSimulator,
  request: ApiRequest,
  outgoing: Outgoing | null,
): Promise<ApiAnswer> {
  const entry: JournalEntry = {
    method: request.method,
    path: tryDecodeURIComponent(request.url.pathname),
    query: Object.fromEntries(request.url.searchParams),
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

function registerClient(site: FakeSite, client: Parameters<HelpdeskSimulator['registerOAuthClient']>[0]): void {
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
  site: FakeSite,
  user: string,
  values: Record<string, unknown>,
  portal: boolean,
): Promise<string> {
  const actor = { user, messages: [] };
  const all = portal ? { ...values, via_customer_portal: 1 } : values;
  return (await insertWithScripts(site, actor, site.metadata.get('HD Ticket'), all)).name;
}

function accountOf(site: FakeSite, user: string): HelpdeskUserSeed {
  const account = site.accounts.get(user);
  if (account === undefined) throw new Error(`the seed has no user ${user}`);
  return account;
}

/**
 * Makes a ticket of a message, as the helpdesk's inbox does: Administrator inserts it with subject and sender alone, so
 * webhooks see no description; the message itself and the description come with a later save
 * (docs/helpdesk.md#inserting-a-ticket). Gives the ticket's name.
 */
async function receiveMail(site: FakeSite, { from, subject, text, group }: Mail): Promise<string> {
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

/** Sites as their seeds left them, of seeds that cannot change any more: tests start hundreds of one seed. */
const loaded: Record<Generation, WeakMap<HelpdeskSeed, FakeSite>> = {
  '1.24': new WeakMap(),
  '1.25': new WeakMap(),
  '1.28': new WeakMap(),
};

/** A new site with everything that its seed names. It does not listen yet, so its address is empty. */
function createSite(seed: HelpdeskSeed, generation: Generation, epochMs: () => number, closing: AbortSignal): FakeSite {
  const known = loaded[generation].get(seed);
  if (known !== undefined) return emptySite(seed, generation, epochMs, closing, known);
  const site = emptySite(seed, generation, epochMs, closing);
  loadSeed(site, seed);
  if (!Object.isFrozen(seed)) return site;
  loaded[generation].set(seed, site);
  return emptySite(seed, generation, epochMs, closing, site);
}

/** `like`: a site to begin as. */
function emptySite(
  seed: HelpdeskSeed,
  generation: Generation,
  epochMs: () => number,
  closing: AbortSignal,
  like?: FakeSite,
): FakeSite {
  const metadata = new DoctypeRegistry(generation, like?.metadata);
  const store = new DocumentStore(metadata, like?.store);
  const clock = siteClock(seed.timeZone, epochMs);
  return {
    generation,
    clock,
    metadata,
    store,
    accounts: new Map(like?.accounts),
    sessions: new Sessions(clock),
    oauth: new OAuthState(),
    settings: siteSettings(metadata, store),
    webhooks: new JobWorker(closing),
    closing,
    url: '',
  };
}

/** The switches of a new site. The one that Helpdesk keeps in HD Settings is read from and written to that document. */
function siteSettings(metadata: DoctypeRegistry, store: DocumentStore): HelpdeskSettings {
  const doctype = metadata.get('HD Settings');
  return {
    language: '',
    page: 'own',
    allowErrorTraceback: true,
    serverScriptEnabled: true,
    refusesAssigneesOutsideTeam: false,
    userPermissions: {},
    webhookDelayMs: 20,
    webhookPauseScale: 1,
    queuedJobs: 0,
    get restrictTicketsByAgentGroup() {
      return store.find(doctype, doctype.name)?.restrict_tickets_by_agent_group === 1;
    },
    set restrictTicketsByAgentGroup(on) {
      const document = store.find(doctype, doctype.name);
      if (document) store.put(doctype, { ...document, restrict_tickets_by_agent_group: on ? 1 : 0 });
    },
  };
}
