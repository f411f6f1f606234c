import { alsoPosted, contract, type Discovery } from '@deskside/shared/contract';
import { type Handler, Hono } from 'hono';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { DescribeCaller } from '#app/access/describe-caller.ts';
import type { EnrichCompany } from '#app/customer/enrich-company.ts';
import type { RefreshCustomer } from '#app/customer/refresh-customer.ts';
import type { RejectCompany } from '#app/customer/reject/reject-company.ts';
import type { UndoRejection } from '#app/customer/reject/undo-rejection.ts';
import type { SyncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import type { UndoSync } from '#app/customer/sync/undo-sync.ts';
import type { FindCompanies } from '#app/find/find-companies.ts';
import type { EnrichStoreUrl } from '#app/intake/enrich-store-url.ts';
import type { GetLegacyProfile } from '#app/profile/get-legacy-profile.ts';
import type { GetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import type { ListAround } from '#app/profile/list-around.ts';
import type { ListDecisions } from '#app/routing/list-decisions.ts';
import { AppError } from '#app/runtime/app-error.ts';
import type { NoteMissingAnchor } from '#app/runtime/note-missing-anchor.ts';
import type { Readiness } from '#app/runtime/readiness.ts';
import type { Writes } from '#app/runtime/writes.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { AppEnv } from './context.ts';
import { answerError } from './errors.ts';
import { agentsOnly } from './middleware/agents-only.ts';
import { limitBody } from './middleware/body-limit.ts';
import { limitPerClient } from './middleware/limit-per-client.ts';
import { markKnown } from './middleware/mark-known.ts';
import { noteWrites, oneSecond } from './middleware/one-second.ts';
import { type RequestLogDeps, requestLog } from './middleware/request-log.ts';
import { sameRevision } from './middleware/same-revision.ts';
import { addOperatorRoutes, type OperatorPage } from './operator/operator-routes.ts';
import { customerProfileRoute } from './routes/customer/customer-profile.ts';
import { customerTicketsRoute } from './routes/customer/customer-tickets.ts';
import { enrichCompanyRoute } from './routes/customer/enrich-company.ts';
import { findCompaniesRoute } from './routes/customer/find-companies.ts';
import { legacyProfileRoute, refreshCustomerRoute } from './routes/customer/refresh-customer.ts';
import { rejectCompanyRoute } from './routes/customer/reject-company.ts';
import { storeUrlEnrichRoute } from './routes/customer/store-url-enrich.ts';
import { syncTicketCustomerRoute } from './routes/customer/sync-ticket-customer.ts';
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
import { missingAnchorRoute } from './routes/missing-anchor.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { routingDecisionsRoute } from './routes/routing-decisions.ts';
import { whoamiRoute } from './routes/whoami.ts';

export interface HttpDeps extends RequestLogDeps {
  /** Called before a body is read. */
  requireAgent: AgentGate['requireAgent'];
  getTicketProfile: GetTicketProfile;
  writes: Writes;
  memory: Memory;
  getLegacyProfile: GetLegacyProfile;
  refreshCustomer: RefreshCustomer;
  enrichCompany: EnrichCompany;
  syncTicketCustomer: SyncTicketCustomer;
  undoSync: UndoSync;
  rejectCompany: RejectCompany;
  undoRejection: UndoRejection;
  enrichStoreUrl: EnrichStoreUrl;
  findCompanies: FindCompanies;
  listDecisions: ListDecisions;
  listAround: ListAround;
  describeCaller: DescribeCaller;
  noteMissingAnchor: NoteMissingAnchor;
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

/** Paths that change something and are therefore POST only. */
const posted: ReadonlySet<string> = new Set(
  Object.values(contract).flatMap(({ method, path }) => (method === 'POST' ? [path] : [])),
);

/** Paths that may be asked by POST. */
const postable: ReadonlySet<string> = new Set([...posted, ...alsoPosted.map((name) => contract[name].path)]);

/** Paths open to everyone, without a credential. */
const open: ReadonlySet<string> = new Set([contract.discovery.path, '/livez', '/readyz', '/openapi.json', '/docs']);

/**
 * The HTTP surface of the proxy. Routes parse, call one verb and shape the response; errors are shaped in one place.
 */
export function createApp(deps: HttpDeps): Hono<AppEnv> {
  const { discovery, readiness } = deps;
  const app = new Hono<AppEnv>();
  app.use(requestLog(deps), limitPerClient(maxPerClient), noteWrites(deps.writes));
  app.onError(answerError);

  const description = openApiRoutes(discovery.version);
  const routes: Record<string, Handler<AppEnv>> = {
    [contract.customerProfile.path]: customerProfileRoute(deps.getTicketProfile),
    [contract.legacyProfile.path]: legacyProfileRoute(deps.getLegacyProfile),
    [contract.refreshCustomer.path]: refreshCustomerRoute(deps.refreshCustomer),
    [contract.enrichCompany.path]: enrichCompanyRoute(deps.enrichCompany),
    [contract.syncTicketCustomer.path]: syncTicketCustomerRoute(deps),
    [contract.rejectCompany.path]: rejectCompanyRoute(deps),
    [contract.storeUrlEnrich.path]: storeUrlEnrichRoute(deps.enrichStoreUrl),
    [contract.findCompanies.path]: findCompaniesRoute(deps.findCompanies),
    [contract.routingDecisions.path]: routingDecisionsRoute(deps.listDecisions),
    [contract.aroundTicket.path]: customerTicketsRoute(deps.listAround),
    [contract.missingAnchor.path]: missingAnchorRoute(deps.noteMissingAnchor),
    [contract.whoami.path]: whoamiRoute(deps.describeCaller),
    [contract.discovery.path]: discoveryRoute(discovery),
    '/livez': livezRoute,
    '/readyz': readyzRoute(readiness),
    '/openapi.json': description.json,
    '/docs': description.page,
  };
  for (const [path, handler] of Object.entries(routes)) {
    if (!open.has(path)) app.use(path, markKnown, sameRevision);
    if (path === contract.customerProfile.path) app.get(path, oneSecond(deps));
    if (postable.has(path)) app.post(path, agentsOnly(deps.requireAgent), limitBody(maxBytes), handler);
    if (!posted.has(path)) app.get(path, handler);
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  }
  if (deps.exposed) app.get('/metrics', metricsRoute(deps.exposed.exposition, deps.exposed.tokens));
  const webhook = (path: string, handler: Handler<AppEnv>) => {
    app.post(path, markKnown, limitBody(maxEventBytes), handler);
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  };
  if (deps.crmEvents) webhook('/webhooks/crm/company', crmEventRoute(deps.crmEvents));
  const tickets = '/webhooks/helpdesk/ticket';
  if (deps.ticketEvents) webhook(`${tickets}/after-insert`, afterInsertRoute(deps.ticketEvents));
  if (deps.beforeInsert) webhook(`${tickets}/before-insert`, beforeInsertRoute(deps.beforeInsert));
  if (deps.operator) addOperatorRoutes(app, deps.operator);
  app.notFound((c) => answerError(new AppError('route_not_found'), c));
  return app;
}
