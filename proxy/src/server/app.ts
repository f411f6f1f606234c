import { alsoPosted, contract, type Discovery } from '@deskside/shared/contract';
import { type Handler, Hono } from 'hono';
import type { Context, Endpoint } from '#context.ts';
import { enrichEndpoint } from '#customers/enrich.ts';
import { findEndpoint } from '#customers/find-companies.ts';
import { refreshEndpoint } from '#customers/refresh.ts';
import { legacyProfileEndpoint, profileEndpoint } from '#profile/get-profile.ts';
import { aroundEndpoint } from '#profile/other-tickets.ts';
import { decisionsEndpoint } from '#routing/explain.ts';
import { storeUrlEndpoint } from '#routing/intake-ticket.ts';
import { todayEndpoint } from '#routing/today.ts';
import { AppError } from '#runtime/app-error.ts';
import { rejectEndpoint } from '#sync/reject.ts';
import { syncEndpoint } from '#sync/sync.ts';
import { missingAnchorEndpoint, whoamiEndpoint } from './extension.ts';
import { openRoutes, type Readiness } from './health.ts';
import { type Exposition, metricsRoute } from './metrics.ts';
import {
  type AppEnv,
  answerError,
  inItsName,
  limitBody,
  type RequestLogDeps,
  requestLog,
  sameRevision,
} from './middleware.ts';
import { handlerOf } from './serve-endpoint.ts';
import { afterInsertRoute, beforeInsertRoute, crmEventRoute, maxEventBytes } from './webhooks.ts';

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
export interface Surface {
  discovery: Discovery;
  readiness: Pick<Readiness, 'checks'>;
  metrics: RequestLogDeps['metrics'] & Exposition;
  /** The valid secrets, in the clear, of what has no credential. Where there are none, the endpoint does not exist. */
  secrets: Partial<Record<'crm' | 'webhook' | 'script' | 'metrics', readonly string[] | undefined>>;
}

/** Paths of those asked by GET that may be asked by POST as well. */
const posted: ReadonlySet<string> = new Set(alsoPosted.map((name) => contract[name].path));

/** The HTTP surface of the proxy: the table of endpoints, and the few that are different. Errors are shaped in one place. */
export function createApp(
  ctx: Context,
  surface: Surface,
  table: Readonly<Record<string, Endpoint>> = endpoints,
): Hono<AppEnv> {
  const { discovery, readiness, metrics, secrets } = surface;
  const app = new Hono<AppEnv>();
  app.use(requestLog({ metrics, clock: ctx.clock, logger: ctx.logger }));
  app.onError(answerError);

  const refuseOthers = (path: string) => app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  for (const { entry } of Object.values(table)) app.use(entry.path, sameRevision);
  app.use(inItsName);
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
  if (secrets.metrics) app.get('/metrics', metricsRoute(metrics, secrets.metrics));
  const webhook = (path: string, handler: Handler<AppEnv>) => {
    app.post(path, limitBody(maxEventBytes), handler);
    refuseOthers(path);
  };
  if (secrets.crm && ctx.crm !== null) webhook('/webhooks/crm/company', crmEventRoute(ctx, secrets.crm));
  const tickets = '/webhooks/helpdesk/ticket';
  if (secrets.webhook) webhook(`${tickets}/after-insert`, afterInsertRoute(ctx, secrets.webhook));
  if (secrets.script) webhook(`${tickets}/before-insert`, beforeInsertRoute(ctx, secrets.script));
  app.notFound((c) => answerError(new AppError('route_not_found'), c));
  return app;
}
