import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { issueToken } from './access/oauth-tokens.ts';
import type { Generation, HelpdeskOptions, HelpdeskSimulator, JournalEntry } from './api.ts';
import { createSite } from './create-site.ts';
import { faultAnswer } from './http/faults.ts';
import { receiveMail } from './mail.ts';
import { handleApi } from './routes/api.ts';
import { servePages } from './routes/pages.ts';
import { place } from './seeding/place.ts';
import { insertWithScripts } from './server-scripts/run.ts';
import { lookup, type Site } from './site/site.ts';

export type { Generation, HelpdeskOptions, HelpdeskSimulator } from './api.ts';

/**
 * Starts a stand-in for Frappe Helpdesk on 127.0.0.1. It speaks the part of the REST API that Deskside and its demo
 * use, with the behaviour recorded from real sites (recordings/), and serves a page with the real page's anchors.
 */
export async function startHelpdesk(options: HelpdeskOptions): Promise<HelpdeskSimulator> {
  const generation: Generation = options.generation ?? '1.28';
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
    close: async () => {},
  };
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('/api/*', (context) => answerApi(site, simulator, context.req.raw, context.env));
  servePages(app, site);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await listen(server, options.port ?? 0);
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  simulator.url = site.url;
  simulator.close = () => {
    closing.abort();
    return close(server);
  };
  return simulator;
}

async function answerApi(
  site: Site,
  simulator: HelpdeskSimulator,
  request: Request,
  bindings: HttpBindings,
): Promise<Response> {
  const url = new URL(request.url);
  const entry: JournalEntry = {
    method: request.method,
    path: decodePath(url.pathname),
    query: Object.fromEntries(url.searchParams),
    user: 'Guest',
    status: 0,
    at: site.clock.epochMs(),
  };
  simulator.journal.push(entry);
  const wait = simulator.latency(entry);
  if (typeof wait !== 'number') await wait;
  else if (wait > 0) await delay(wait);
  const fault = simulator.fault?.(entry) ?? null;
  const answer =
    fault === null
      ? await handleApi(site, request, (user) => {
          entry.user = user;
        })
      : await faultAnswer(fault, bindings);
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

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
