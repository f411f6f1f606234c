import { alsoPosted, contract, type Discovery } from '@deskside/shared/contract';
import { type Handler, Hono } from 'hono';
import type { Context } from '#context.ts';
import { enrichEndpoint } from '#customers/enrich.ts';
import { findEndpoint } from '#customers/find-companies.ts';
import { refreshEndpoint } from '#customers/refresh-customer.ts';
import { rejectEndpoint } from '#customers/reject.ts';
import { storeUrlEndpoint } from '#customers/store-url.ts';
import { syncEndpoint } from '#customers/sync.ts';
import type { Endpoint } from '#endpoint.ts';
import { profileEndpoint } from '#profile/get-profile.ts';
import { legacyProfileEndpoint } from '#profile/legacy-profile.ts';
import { aroundEndpoint } from '#profile/other-tickets.ts';
import { decisionsEndpoint } from '#routing/explain.ts';
import { todayEndpoint } from '#routing/today.ts';
import { AppError } from '#runtime/app-error.ts';
import { whoamiEndpoint } from './describe-caller.ts';
import { handlerOf } from './endpoint.ts';
import type { Readiness } from './health.ts';
import { openRoutes } from './health.ts';
import { type Exposed, metricsRoute } from './metrics.ts';
import type { AppEnv } from './middleware.ts';
import {
  answerError,
  inItsName,
  limitBody,
  limitPerClient,
  noteWrites,
  oneSecond,
  type RequestLogDeps,
  requestLog,
  sameRevision,
  type Writes,
} from './middleware.ts';
import { missingAnchorEndpoint } from './page-anchors.ts';
import {
  afterInsertRoute,
  type BeforeInsert,
  beforeInsertRoute,
  type CrmEvents,
  crmEventRoute,
  maxEventBytes,
  type TicketEvents,
} from './webhooks.ts';

/** Every endpoint of the contract that takes a credential (docs/api.md). */
export const endpoints = {
  customerProfile: profileEndpoint,
  legacyProfile: legacyProfileEndpoint,
  refreshCustomer: refreshEndpoint,
  enrichCompany: enrichEndpoint,
  syncTicketCustomer: syncEndpoint,
  rejectCompany: rejectEndpoint,
  storeUrlEnrich: storeUrlEndpoint,
  findCompanies: findEndpoint,
  routingDecisions: decisionsEndpoint,
  routingToday: todayEndpoint,
  aroundTicket: aroundEndpoint,
  missingAnchor: missingAnchorEndpoint,
  whoami: whoamiEndpoint,
} satisfies Record<Exclude<keyof typeof contract, 'discovery'>, Endpoint>;

/** What the app serves beside the endpoints of the tables. */
export interface Surface extends Omit<RequestLogDeps, 'clock' | 'logger'> {
  writes: Writes;
  discovery: Discovery;
  readiness: Pick<Readiness, 'checks'>;
  /** Absent if no application token is configured: the endpoint then does not exist. */
  crmEvents?: CrmEvents | undefined;
  /** Likewise for the helpdesk's webhook and its Before Insert script, with the valid secrets in the clear. */
  ticketEvents?: TicketEvents | undefined;
  beforeInsert?: BeforeInsert | undefined;
  /** Absent without METRICS_TOKEN. */
  exposed?: { exposition: Exposed; tokens: readonly string[] } | undefined;
}

const maxPerClient = 500;

/** Paths of those asked by GET that may be asked by POST as well. */
const posted: ReadonlySet<string> = new Set(alsoPosted.map((name) => contract[name].path));

/**
 * The HTTP surface of the proxy: the table of endpoints, and the few that are different. Errors are shaped in one place.
 */
export function createApp(
  ctx: Context,
  surface: Surface,
  table: Readonly<Record<string, Endpoint>> = endpoints,
): Hono<AppEnv> {
  const { discovery, readiness, writes } = surface;
  const app = new Hono<AppEnv>();
  app.use(requestLog({ ...surface, clock: ctx.clock, logger: ctx.logger }), limitPerClient(maxPerClient));
  app.onError(answerError);

  const refuseOthers = (path: string) => app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  for (const { entry, lasts } of Object.values(table)) {
    app.use(entry.path, sameRevision);
    if (lasts) app.get(entry.path, oneSecond({ memory: ctx.memory, writes }));
  }
  // An answer that is given again ends before: it writes nothing, and begins no work that the log could name.
  app.use(noteWrites(writes), inItsName);
  for (const endpoint of Object.values(table)) {
    const { method, path } = endpoint.entry;
    const handler = handlerOf(ctx, endpoint);
    if (method === 'GET') app.get(path, handler);
    if (method === 'POST' || posted.has(path)) app.post(path, handler);
    refuseOthers(path);
  }
  for (const [path, handler] of Object.entries(openRoutes(discovery, readiness))) {
    app.get(path, handler);
    refuseOthers(path);
  }
  if (surface.exposed) app.get('/metrics', metricsRoute(surface.exposed.exposition, surface.exposed.tokens));
  const webhook = (path: string, handler: Handler<AppEnv>) => {
    app.post(path, limitBody(maxEventBytes), handler);
    refuseOthers(path);
  };
  const { crmEvents, ticketEvents, beforeInsert } = surface;
  if (crmEvents && ctx.crm !== null) webhook('/webhooks/crm/company', crmEventRoute(ctx, crmEvents));
  const tickets = '/webhooks/helpdesk/ticket';
  if (ticketEvents) webhook(`${tickets}/after-insert`, afterInsertRoute(ctx, ticketEvents));
  if (beforeInsert) webhook(`${tickets}/before-insert`, beforeInsertRoute(ctx, beforeInsert));
  app.notFound((c) => answerError(new AppError('route_not_found'), c));
  return app;
}
