import type { Hono } from 'hono';
import { namedFields } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import type { FrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { inRequest } from '#adapters/log-json/request-id.ts';
import type { MetricsRegistry } from '#adapters/metrics-prom/metrics.ts';
import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { hasCrm } from '#app/context.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { searchCompany } from '#app/crm/search-company.ts';
import { considerAdoption } from '#app/customer/adopt/consider-adoption.ts';
import { enrichRecords } from '#app/customer/enrich-records.ts';
import type { LimitSearches } from '#app/find/limit-searches.ts';
import type { MetaQueue } from '#app/intake/meta-queue.ts';
import { createShowExpiring } from '#app/operator/list-expiring.ts';
import type { OperatorGate } from '#app/operator/operator-gate.ts';
import type { ReadDay } from '#app/operator/read-day.ts';
import type { RecentCrm } from '#app/operator/recent-crm.ts';
import { createShowHealth } from '#app/operator/show-health.ts';
import type { LearnTurns } from '#app/routing/after-restore/learn-turns.ts';
import { type RunNeeds, runTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import type { Background } from '#app/runtime/background.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import type { RateLimit } from '#app/runtime/rate-limit.ts';
import type { Readiness } from '#app/runtime/readiness.ts';
import type { Writes } from '#app/runtime/writes.ts';
import type { Settings } from '#app/settings/settings.ts';
import { findingsFor } from '#checks/doctor.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import type { Config } from '#config/environment.ts';
import type { Secret } from '#config/secret.ts';
import { version } from '#config/version.ts';
import { alertNames } from '#domain/alerts/alert-causes.ts';
import { createApp } from '#http/app.ts';
import type { AppEnv } from '#http/context.ts';
import type { OperatorPage } from '#http/operator/operator-routes.ts';
import type { Upstream } from '#net/egress.ts';
import type { CrmState } from '#ports/crm/crm-budget.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';
import type { RememberedMeta } from '#ports/intake/store-meta.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import { type BulkContext, bulkContext } from './backfill.ts';
import { contextOf, storedParts } from './context.ts';
import { type CrmUpstreams, wireCrm } from './crm.ts';
import type { Alerts } from './monitoring/alerts.ts';
import type { Pipeline } from './pipeline.ts';

/** What outlives a change of the settings: connections, queues, limits, and what is remembered of callers. */
export interface Lasting {
  store: Store;
  /** The helpdesk. */
  upstream: Upstream;
  site: FrappeSite;
  crmUpstream: CrmUpstreams;
  gate: AgentGate;
  storeMeta: RememberedMeta;
  learnTurns: LearnTurns;
  pipeline: Pipeline;
  metaQueue: MetaQueue;
  limitRefreshes: LimitRefreshes;
  limitSearches: LimitSearches;
  anchorReports: RateLimit;
  operatorPage: OperatorPage | undefined;
  operatorGate: OperatorGate | undefined;
  readDay: ReadDay;
  recentCrm: RecentCrm;
  settings: Settings;
  withLock: WithLock;
  background: Background;
  writes: Writes;
  memory: Memory;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  alerts: Pick<Alerts, 'end'>;
  readiness: Readiness;
}

/** The service under one configuration. What it has begun it ends, also when another one has taken its place. */
export interface Service {
  config: Config;
  app: Hono<AppEnv>;
  /** Takes one ticket to its end. */
  run: (work: TicketWork, signal: AbortSignal) => Promise<{ again: number | null }>;
  /** For work with all customers; null if there is no CRM to ask. */
  bulk: BulkContext | null;
  /** For an operator; null if no CRM is configured. Throws if the store fails. */
  crmState(): Promise<CrmState | null>;
}

/** Part of the composition root: everything that depends on settings that can change at run time. */
export function wireService(config: Config, lasting: Lasting): Service {
  const { store, crmUpstream: upstream, gate, memory, background, clock, logger, metrics, pipeline } = lasting;
  const { limitRefreshes } = lasting;
  const helpdesk = lasting.site.withAccountLinks(config.rules.account_link);
  // Nobody else will say that what another service could not do is over; if it is not, it is raised again at once.
  for (const cause of alertNames) if (cause.startsWith('crm_')) lasting.alerts.end(cause, null);
  const crm = wireCrm({ config, store, upstream, memory, background, clock, logger, metrics });
  const { withLock } = lasting;
  const ctx = contextOf(
    {
      ...{ ...storedParts(store), background, clock, gate, limitRefreshes, logger, memory, withLock },
      anchorReports: lasting.anchorReports,
      limitSearches: lasting.limitSearches,
      ...{ learnTurns: lasting.learnTurns, metaQueue: lasting.metaQueue, storeMeta: lasting.storeMeta },
      stopped: pipeline.stopped,
      wakePipeline: pipeline.wake,
    },
    { config, helpdesk, crm, upstream: lasting.upstream },
  );
  const enriching: RunNeeds = {
    ...ctx,
    searchCompany: hasCrm(ctx) ? (orgId, how) => searchCompany(ctx, orgId, how) : null,
    enrichRecords: hasCrm(ctx) ? (input) => enrichRecords(ctx, input) : null,
    considerAdoption: (about, signal) => considerAdoption(ctx, about, signal),
  };

  // Extensions of earlier days would not understand the page's.
  const { operator: _, ...clientIdsOfBrowsers } = config.OAUTH_CLIENT_IDS;

  const { recentCrm } = lasting;

  const app = createApp(
    {
      ...ctx,
      operatorGate: lasting.operatorGate,
      readDay: lasting.readDay,
      recentCrm,
      settings: lasting.settings,
      showExpiring: createShowExpiring(ctx),
      showHealth: createShowHealth({ examine: () => findingsFor(config, clock), recentCrm, clock }),
    },
    {
      writes: lasting.writes,
      discovery: {
        name: 'deskside',
        version,
        helpdesk_url: config.HELPDESK_URL,
        oauth_client_ids: clientIdsOfBrowsers,
      },
      readiness: lasting.readiness,
      crmEvents: config.CRM_EVENT_TOKEN && {
        tokens: revealed(config.CRM_EVENT_TOKEN),
        eventToken: crmAdapter.eventToken,
        readEvent: crmAdapter.readEvent,
      },
      ticketEvents: config.HELPDESK_WEBHOOK_SECRET && { secrets: revealed(config.HELPDESK_WEBHOOK_SECRET) },
      beforeInsert: config.HELPDESK_SCRIPT_SECRET && {
        secrets: revealed(config.HELPDESK_SCRIPT_SECRET),
        fieldNames: namedFields,
      },
      exposed: config.METRICS_TOKEN && { exposition: metrics, tokens: revealed(config.METRICS_TOKEN) },
      metrics,
      inRequest,
      operator: lasting.operatorPage,
    },
  );

  return {
    config,
    app,
    run: (work, signal) => runTicketPipeline(enriching, work, signal),
    bulk: bulkContext(ctx),
    crmState: async () => (await crm?.state()) ?? null,
  };
}

function revealed(secrets: readonly Secret[]): string[] {
  return secrets.map((secret) => secret.reveal());
}
