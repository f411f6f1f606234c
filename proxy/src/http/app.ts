import { contract, type Discovery } from '@deskside/shared/contract';
import { type Handler, Hono } from 'hono';
import { AppError } from '../app/app-error.ts';
import type { DescribeCaller } from '../app/describe-caller.ts';
import type { EnrichCompany } from '../app/enrich-company.ts';
import type { EnrichStoreUrl } from '../app/enrich-store-url.ts';
import type { GetLegacyProfile } from '../app/get-legacy-profile.ts';
import type { GetTicketProfile } from '../app/get-ticket-profile.ts';
import type { ListDecisions } from '../app/list-decisions.ts';
import type { RefreshCustomer } from '../app/refresh-customer.ts';
import type { SyncTicketCustomer } from '../app/sync-ticket-customer.ts';
import type { UndoSync } from '../app/undo-sync.ts';
import type { Logger } from '../ports/logger.ts';
import type { AppEnv } from './context.ts';
import { answerError } from './errors.ts';
import { limitBody } from './middleware/body-limit.ts';
import { requestLog } from './middleware/request-log.ts';
import { secureHeaders } from './middleware/secure-headers.ts';
import { type CrmEvents, crmEventRoute, mostEventBytes } from './routes/crm-event.ts';
import { customerProfileRoute } from './routes/customer-profile.ts';
import { discoveryRoute } from './routes/discovery.ts';
import { enrichCompanyRoute } from './routes/enrich-company.ts';
import { livezRoute, type ReadinessCheck, readyzRoute } from './routes/health.ts';
import { legacyProfileRoute, refreshCustomerRoute } from './routes/refresh-customer.ts';
import { routingDecisionsRoute } from './routes/routing-decisions.ts';
import { storeUrlEnrichRoute } from './routes/store-url-enrich.ts';
import { syncTicketCustomerRoute } from './routes/sync-ticket-customer.ts';
import { afterInsertRoute, type BeforeInsert, beforeInsertRoute, type TicketEvents } from './routes/ticket-events.ts';
import { whoamiRoute } from './routes/whoami.ts';

export interface HttpDeps {
  getTicketProfile: GetTicketProfile;
  getLegacyProfile: GetLegacyProfile;
  refreshCustomer: RefreshCustomer;
  enrichCompany: EnrichCompany;
  syncTicketCustomer: SyncTicketCustomer;
  undoSync: UndoSync;
  enrichStoreUrl: EnrichStoreUrl;
  listDecisions: ListDecisions;
  describeCaller: DescribeCaller;
  discovery: Discovery;
  readiness: Record<string, ReadinessCheck>;
  /** Absent where no application token is configured: there is no such endpoint then. */
  crmEvents?: CrmEvents | undefined;
  /** The same for the helpdesk's webhook and its Before Insert script. */
  ticketEvents?: TicketEvents | undefined;
  beforeInsert?: BeforeInsert | undefined;
  logger: Logger;
}

/** Largest body of any request, in bytes. */
const mostBytes = 1024 * 1024;

/** Paths that change something, so by POST only. */
const posted: ReadonlySet<string> = new Set(
  Object.values(contract).flatMap(({ method, path }) => (method === 'POST' ? [path] : [])),
);

/** The HTTP surface of the proxy. Routes parse, call one verb and shape the answer; errors are shaped in one place. */
export function createApp(deps: HttpDeps): Hono<AppEnv> {
  const { discovery, readiness, logger } = deps;
  const app = new Hono<AppEnv>();
  app.use(requestLog(logger), secureHeaders, limitBody(mostBytes));
  app.onError(answerError);

  const routes: Record<string, Handler<AppEnv>> = {
    [contract.customerProfile.path]: customerProfileRoute(deps.getTicketProfile),
    [contract.legacyProfile.path]: legacyProfileRoute(deps.getLegacyProfile),
    [contract.refreshCustomer.path]: refreshCustomerRoute(deps.refreshCustomer),
    [contract.enrichCompany.path]: enrichCompanyRoute(deps.enrichCompany),
    [contract.syncTicketCustomer.path]: syncTicketCustomerRoute(deps),
    [contract.storeUrlEnrich.path]: storeUrlEnrichRoute(deps.enrichStoreUrl),
    [contract.routingDecisions.path]: routingDecisionsRoute(deps.listDecisions),
    [contract.whoami.path]: whoamiRoute(deps.describeCaller),
    [contract.discovery.path]: discoveryRoute(discovery),
    '/livez': livezRoute,
    '/readyz': readyzRoute(readiness),
  };
  for (const [path, handler] of Object.entries(routes)) {
    if (posted.has(path)) app.post(path, handler);
    else app.get(path, handler);
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  }
  const webhook = (path: string, most: number, handler: Handler<AppEnv>) => {
    app.post(path, limitBody(most), handler);
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  };
  if (deps.crmEvents) webhook('/webhooks/crm/company', mostEventBytes, crmEventRoute(deps.crmEvents));
  const tickets = '/webhooks/helpdesk/ticket';
  if (deps.ticketEvents) webhook(`${tickets}/after-insert`, mostBytes, afterInsertRoute(deps.ticketEvents));
  if (deps.beforeInsert) webhook(`${tickets}/before-insert`, mostBytes, beforeInsertRoute(deps.beforeInsert));
  app.notFound((c) => answerError(new AppError('route_not_found'), c));
  return app;
}
