import { alsoPosted, contract, type Discovery } from '@deskside/shared/contract';
import { type Handler, Hono } from 'hono';
import { AppError } from '#app/runtime/app-error.ts';
import type { Readiness } from '#app/runtime/readiness.ts';
import type { Writes } from '#app/runtime/writes.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { AppEnv } from './context.ts';
import { endpoints } from './endpoints.ts';
import { answerError } from './errors.ts';
import { limitBody } from './middleware/body-limit.ts';
import { limitPerClient } from './middleware/limit-per-client.ts';
import { markKnown } from './middleware/mark-known.ts';
import { noteWrites, oneSecond } from './middleware/one-second.ts';
import { type RequestLogDeps, requestLog } from './middleware/request-log.ts';
import { sameRevision } from './middleware/same-revision.ts';
import { addOperatorRoutes, type OperatorPage } from './operator/operator-routes.ts';
import { discoveryRoute } from './routes/discovery.ts';
import { type CrmEvents, crmEventRoute, maxEventBytes } from './routes/events/crm-event.ts';
import {
  afterInsertRoute,
  type BeforeInsert,
  beforeInsertRoute,
  type TicketEvents,
} from './routes/events/ticket-events.ts';
import { livezRoute, readyzRoute } from './routes/health.ts';
import { type Exposed, metricsRoute } from './routes/metrics.ts';
import { openApiRoutes } from './routes/openapi.ts';
import type { Verbs } from './verbs.ts';

export interface HttpDeps extends RequestLogDeps, Verbs {
  writes: Writes;
  memory: Memory;
  discovery: Discovery;
  readiness: Pick<Readiness, 'checks'>;
  /** Absent if no application token is configured: the endpoint then does not exist. */
  crmEvents?: CrmEvents | undefined;
  /** Likewise for the helpdesk's webhook and its Before Insert script. */
  ticketEvents?: TicketEvents | undefined;
  beforeInsert?: BeforeInsert | undefined;
  /** Absent without METRICS_TOKEN. */
  exposed?: { exposition: Exposed; tokens: readonly string[] } | undefined;
  /** Absent unless it is switched on. */
  operator?: OperatorPage | undefined;
}

/** Largest body of an agent's request, in bytes: many times what any of them needs. */
const maxBytes = 64 * 1024;

const maxPerClient = 500;

/** Paths of those asked by GET that may be asked by POST as well. */
const posted: ReadonlySet<string> = new Set(alsoPosted.map((name) => contract[name].path));

/**
 * The HTTP surface of the proxy: the table of endpoints, and the few that are different. Errors are shaped in one place.
 */
export function createApp(deps: HttpDeps): Hono<AppEnv> {
  const { discovery, readiness } = deps;
  const app = new Hono<AppEnv>();
  app.use(requestLog(deps), limitPerClient(maxPerClient), noteWrites(deps.writes));
  app.onError(answerError);

  const refuseOthers = (path: string) => app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  for (const { method, path, who, mayLast, handler } of endpoints) {
    app.use(path, markKnown, sameRevision);
    if (mayLast) app.get(path, oneSecond(deps));
    if (method === 'GET') app.get(path, handler(deps));
    if (method === 'POST' || posted.has(path))
      app.post(path, (c, next) => who(c, deps).then(next), limitBody(maxBytes), handler(deps));
    refuseOthers(path);
  }
  const description = openApiRoutes(discovery.version);
  const open: Record<string, Handler<AppEnv>> = {
    [contract.discovery.path]: discoveryRoute(discovery),
    '/livez': livezRoute,
    '/readyz': readyzRoute(readiness),
    '/openapi.json': description.json,
    '/docs': description.page,
  };
  for (const [path, handler] of Object.entries(open)) {
    app.get(path, handler);
    refuseOthers(path);
  }
  if (deps.exposed) app.get('/metrics', metricsRoute(deps.exposed.exposition, deps.exposed.tokens));
  const webhook = (path: string, handler: Handler<AppEnv>) => {
    app.post(path, markKnown, limitBody(maxEventBytes), handler);
    refuseOthers(path);
  };
  if (deps.crmEvents) webhook('/webhooks/crm/company', crmEventRoute(deps.crmEvents));
  const tickets = '/webhooks/helpdesk/ticket';
  if (deps.ticketEvents) webhook(`${tickets}/after-insert`, afterInsertRoute(deps.ticketEvents));
  if (deps.beforeInsert) webhook(`${tickets}/before-insert`, beforeInsertRoute(deps.beforeInsert));
  if (deps.operator) addOperatorRoutes(app, deps.operator, deps);
  app.notFound((c) => answerError(new AppError('route_not_found'), c));
  return app;
}
