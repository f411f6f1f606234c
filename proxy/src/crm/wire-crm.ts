import type { Config } from '#config.ts';
import type { Lasting } from '#context.ts';
import type { Egress, Upstream } from '#net/egress.ts';
import type { Metrics } from '#runtime/metrics-port.ts';
import { revealed } from '#runtime/secret.ts';
import type { Store } from '#store/store.ts';
import { createAskCrm } from './ask-crm.ts';
import { createSearchCompanies } from './ask-for-companies.ts';
import { crmAdapter } from './chosen-crm.ts';
import type { CrmLayers } from './crm-layers.ts';
import { lifetimesOf } from './freshness.ts';
import { createGovernor, type GovernorDeps } from './governor.ts';
import { withMemoryFallback } from './memory-budget.ts';
import { createRememberingCache } from './remembering-cache.ts';
import { createSegmentNaming } from './segment-names.ts';

/** The connections to the CRM, by origin. */
export type CrmUpstreams = (origin: string) => Upstream;

/** Each origin's connections are made once, whatever the settings change to and back. */
export function crmUpstreams(egress: Egress): CrmUpstreams {
  const made = new Map<string, Upstream>();
  return (origin) => {
    // The governor's deadline ends a request; this one only closes a connection that nobody waits for any more.
    const upstream = made.get(origin) ?? egress.upstream(origin, { timeoutMs: 60_000, maxBytes: crmAdapter.maxBytes });
    made.set(origin, upstream);
    return upstream;
  };
}

interface CrmNeeds extends Pick<Lasting, 'background' | 'clock' | 'db' | 'logger' | 'memory' | 'profileCache'> {
  requestBudget: Store['requestBudget'];
  crmUpstream: CrmUpstreams;
  metrics: Metrics;
  /** For a clock that does not run as the real one does. */
  sleep?: GovernorDeps['sleep'];
}

/** What stands before the CRM of one configuration; null if no webhook is configured. */
export function wireCrm(config: Config, lasting: CrmNeeds): CrmLayers | null {
  const { clock, db, logger, memory, metrics, profileCache: shared, sleep } = lasting;
  if (!config.CRM_WEBHOOK_URL) return null;
  const crm = crmAdapter.connect({
    webhookUrls: revealed(config.CRM_WEBHOOK_URL),
    // One webhook may have both scopes.
    responsibleWebhookUrls: revealed(config.CRM_RESPONSIBLE_WEBHOOK_URL ?? config.CRM_WEBHOOK_URL),
    portalUrl: config.CRM_PORTAL_URL ?? null,
    fieldMap: config.rules.crm_fields,
    upstream: lasting.crmUpstream,
  });
  const { portal } = crm;
  const limits = crmAdapter.limits[config.CRM_PLAN];
  const requestTimeoutMs = config.CRM_TIMEOUT_SECONDS * 1_000;
  const budget = withMemoryFallback(lasting.requestBudget(limits), limits, clock, logger);
  const governor = createGovernor({ crm, budget, clock, logger, metrics, requestTimeoutMs, sleep });
  const cache = createRememberingCache(shared, memory, metrics);
  const segments = createSegmentNaming({ crm: governor, clock, background: lasting.background });
  return {
    askCrm: createAskCrm({ crm: governor, portal, cache, shared, db, clock, logger }),
    cache,
    clock,
    crm,
    metrics,
    portal,
    lifetimes: lifetimesOf(config.CRM_REFRESH_TTL_MINUTES),
    nameSegments: segments.name,
    searchCompanies: createSearchCompanies({ crm: governor, memory, clock }),
    askInSpare: (readings) =>
      governor.searchCompanies(readings, { lane: 'backfill', deadline: clock() + spareWithinMs }),
    forgetSegments: segments.forget,
    state: governor.state,
  };
}

/** As long as a whole portion may take if everybody else is busy. */
const spareWithinMs = 120_000;
