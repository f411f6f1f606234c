import type { Discovery } from '@deskside/shared/contract';
import type { Hono } from 'hono';
import { namedFields } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import type { FrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { inRequest } from '#adapters/log-json/request-id.ts';
import type { MetricsRegistry } from '#adapters/metrics-prom/metrics.ts';
import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { createDescribeCaller } from '#app/access/describe-caller.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { markCompanyStale } from '#app/crm/mark-company-stale.ts';
import { findCompanies } from '#app/find/find-companies.ts';
import type { LimitSearches } from '#app/find/limit-searches.ts';
import { createEnrichStoreUrl } from '#app/intake/enrich-store-url.ts';
import { createIntakeTicket } from '#app/intake/intake-ticket.ts';
import type { OperatorGate } from '#app/operator/operator-gate.ts';
import type { ReadDay } from '#app/operator/read-day.ts';
import type { RecentCrm } from '#app/operator/recent-crm.ts';
import { createShowHealth } from '#app/operator/show-health.ts';
import type { RecordResponsible } from '#app/profile/record-responsible.ts';
import type { LearnTurns } from '#app/routing/after-restore/learn-turns.ts';
import type { JudgeClaimsAgain } from '#app/routing/judge-claims-again.ts';
import { createListDecisions, createReadDecisions } from '#app/routing/list-decisions.ts';
import type { Background } from '#app/runtime/background.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { noteMissingAnchor } from '#app/runtime/note-missing-anchor.ts';
import type { RateLimit } from '#app/runtime/rate-limit.ts';
import type { Readiness } from '#app/runtime/readiness.ts';
import type { Writes } from '#app/runtime/writes.ts';
import type { Settings } from '#app/settings/settings.ts';
import { type JudgeMatch, judgeMatch } from '#app/trust/judge-match.ts';
import { earlierChoices, type SenderMemory, standingRejections } from '#app/trust/sender-memory.ts';
import { findingsFor } from '#checks/doctor.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import type { Config } from '#config/environment.ts';
import { version } from '#config/version.ts';
import { alertNames } from '#domain/alerts/alert-causes.ts';
import { createApp } from '#http/app.ts';
import type { AppEnv } from '#http/context.ts';
import type { OperatorPage } from '#http/operator/operator-routes.ts';
import type { Upstream } from '#net/egress.ts';
import type { CrmState } from '#ports/crm/crm-budget.ts';
import type { RememberedMeta } from '#ports/intake/store-meta.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import { type BulkContext, bulkContext } from './backfill.ts';
import { contextOf, storedParts } from './context.ts';
import { type CrmUpstreams, wireCrm } from './crm.ts';
import type { Alerts } from './monitoring/alerts.ts';
import type { Pipeline } from './pipeline.ts';
import { wireProfile } from './profile.ts';
import { type Routing, wireRouting } from './routing.ts';
import { wireWrites } from './writes.ts';

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
  judgeClaimsAgain: JudgeClaimsAgain;
  limitRefreshes: LimitRefreshes;
  limitSearches: LimitSearches;
  recordResponsible: RecordResponsible;
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
  run: Routing['run'];
  /** For work with all customers; null if there is no CRM to ask. */
  bulk: BulkContext | null;
  /** For an operator; null if no CRM is configured. Throws if the store fails. */
  crmState(): Promise<CrmState | null>;
}

/** Part of the composition root: everything that depends on settings that can change at run time. */
export function wireService(config: Config, lasting: Lasting): Service {
  const { store, crmUpstream: upstream, gate, memory, background, clock, logger, metrics, pipeline } = lasting;
  const { limitRefreshes, recordResponsible } = lasting;
  const helpdesk = lasting.site.withAccountLinks(config.rules.account_link);
  const again = lasting.judgeClaimsAgain;
  const claimConfirmed = (ticket: string) => background.run(`claim ${ticket}`, () => again.ofTicket(ticket));
  // Nobody else will say that what another service could not do is over; if it is not, it is raised again at once.
  for (const cause of alertNames) if (cause.startsWith('crm_')) lasting.alerts.end(cause, null);
  const crm = wireCrm({ config, store, upstream, memory, background, clock, logger, metrics });
  const { withLock } = lasting;
  const ctx = contextOf(
    {
      ...{ ...storedParts(store), background, clock, gate, limitRefreshes, logger, memory, withLock },
      anchorReports: lasting.anchorReports,
      limitSearches: lasting.limitSearches,
      stopped: pipeline.stopped,
    },
    { config, helpdesk, crm, upstream: lasting.upstream },
  );
  const senderMemory: SenderMemory = {
    rejections: (raised) => standingRejections(ctx, raised),
    choices: (raised) => earlierChoices(ctx, raised),
  };
  const judge: JudgeMatch = (match, signal) => judgeMatch(ctx, match, signal);
  const routing = wireRouting({ ...lasting, ctx, config, helpdesk, crm, senderMemory, judgeMatch: judge });
  const { storeMeta } = lasting;
  const intake = createIntakeTicket({ storeMeta, tickets: helpdesk, rules: config.rules });
  const { HELPDESK_WEBHOOK_SECRET: webhookSecrets, HELPDESK_SCRIPT_SECRET: scriptSecrets } = config;
  const { METRICS_TOKEN: metricsTokens } = config;

  // Extensions of earlier days would not understand the page's.
  const { operator: _, ...clientIdsOfBrowsers } = config.OAUTH_CLIENT_IDS;

  const { operatorGate, readDay, recentCrm, settings } = lasting;

  const app = createApp({
    ...ctx,
    operatorGate,
    readDay,
    recentCrm,
    settings,
    about: { version, helpdeskUrl: config.HELPDESK_URL },
    showHealth: createShowHealth({ examine: () => findingsFor(config, clock), recentCrm, clock }),
    readDecisions: createReadDecisions({ decisions: store.decisions, helpdesk }),
    writes: lasting.writes,
    requireAgent: gate.requireAgent,
    ...wireProfile({
      ...{ ctx, config, store, helpdesk, crm, gate, recordResponsible, claimConfirmed, memory, background, clock },
      senderMemory,
      limitRefreshes,
    }),
    ...wireWrites({ ctx, recordResponsible, claimConfirmed, move: routing.move }),
    enrichStoreUrl: createEnrichStoreUrl({ gate, records: helpdesk, tickets: helpdesk, intake }),
    findCompanies: (asked, signal) => findCompanies(ctx, asked, signal),
    listDecisions: createListDecisions({ gate, decisions: store.decisions, helpdesk }),
    describeCaller: createDescribeCaller({
      gate,
      helpdesk,
      crmState: { enabled: config.CRM_ENABLED, configured: crm !== null, knowsUsers: crm?.crm.knowsUsers ?? false },
      about: { version, helpdeskUrl: config.HELPDESK_URL },
    }),
    noteMissingAnchor: (asked, signal) => noteMissingAnchor(ctx, asked, signal),
    discovery: {
      name: 'deskside',
      version,
      helpdesk_url: config.HELPDESK_URL,
      oauth_client_ids: clientIdsOfBrowsers,
    } satisfies Discovery,
    readiness: lasting.readiness,
    crmEvents:
      crm && config.CRM_EVENT_TOKEN
        ? {
            tokens: config.CRM_EVENT_TOKEN.map((token) => token.reveal()),
            eventToken: crmAdapter.eventToken,
            readEvent: crmAdapter.readEvent,
            markCompanyStale: (event) => markCompanyStale({ ...crm, onChanged: again.ofOrgIds }, event),
          }
        : undefined,
    ticketEvents: webhookSecrets && { secrets: webhookSecrets.map((s) => s.reveal()), receive: pipeline.receive },
    beforeInsert: scriptSecrets && {
      secrets: scriptSecrets.map((s) => s.reveal()),
      decide: routing.decideBeforeInsert,
      fieldNames: namedFields,
    },
    exposed: metricsTokens && { exposition: metrics, tokens: metricsTokens.map((token) => token.reveal()) },
    metrics,
    inRequest,
    operator: lasting.operatorPage,
    logger,
  });

  return {
    config,
    app,
    run: routing.run,
    bulk: bulkContext(ctx),
    crmState: async () => (await crm?.state()) ?? null,
  };
}
