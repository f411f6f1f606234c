import { createBitrix24 } from './adapters/crm-bitrix24/bitrix24.ts';
import { createGovernor } from './adapters/crm-budget/governor.ts';
import { insured } from './adapters/crm-budget/memory-budget.ts';
import { createRememberingCache } from './adapters/crm-budget/remembering-cache.ts';
import { type Sleep, sleep } from './adapters/crm-budget/sleep.ts';
import type { Store } from './adapters/store-sql/store.ts';
import { createAskCrm } from './app/ask-crm.ts';
import type { Background } from './app/background.ts';
import type { FindOwnerDeps } from './app/find-owner.ts';
import type { LookupDeps } from './app/lookup-company.ts';
import { createMarkCompanyStale, type MarkCompanyStale } from './app/mark-company-stale.ts';
import { createSegmentNaming } from './app/segment-names.ts';
import type { Config } from './config.ts';
import { lifetimesOf } from './domain/freshness.ts';
import { bucketOfPlan } from './domain/request-bucket.ts';
import type { Egress } from './net/egress.ts';
import type { Clock } from './ports/clock.ts';
import type { Logger } from './ports/logger.ts';
import type { Memory } from './ports/memory.ts';

/** The CRM with every layer before it (design.md section 5), as the verbs need it. */
export interface CrmLayers extends LookupDeps, FindOwnerDeps {
  markCompanyStale: MarkCompanyStale;
}

/** Part of the composition root: null where no webhook is configured. */
export function wireCrm(deps: {
  config: Config;
  store: Pick<Store, 'profileCache' | 'leases' | 'requestBudget'>;
  egress: Egress;
  memory: Memory;
  background: Background;
  clock: Clock;
  logger: Logger;
  /** For a clock that does not run as the real one does. */
  sleep?: Sleep;
}): CrmLayers | null {
  const { config, store, egress, clock, logger } = deps;
  if (!config.CRM_WEBHOOK_URL) return null;
  const crm = createBitrix24({
    webhookUrl: config.CRM_WEBHOOK_URL.reveal(),
    responsibleWebhookUrl: config.CRM_RESPONSIBLE_WEBHOOK_URL?.reveal() ?? null,
    portalUrl: config.CRM_PORTAL_URL ?? null,
    fieldMap: config.RULES_FILE.crm_fields,
    // The governor's deadline ends a request; this one only ends a connection that nobody waits for any more.
    upstream: (origin) => egress.upstream(origin, { timeoutMs: 60_000 }),
  });
  const { portal } = crm;
  const limits = bucketOfPlan[config.CRM_PLAN];
  const requestTimeoutMs = config.CRM_TIMEOUT_SECONDS * 1_000;
  const budget = insured(store.requestBudget(limits), limits, clock, logger);
  const governor = createGovernor({ crm, budget, clock, logger, requestTimeoutMs, sleep: deps.sleep ?? sleep });
  const shared = store.profileCache;
  const cache = createRememberingCache(shared, deps.memory);
  const segments = createSegmentNaming({ crm: governor, clock, background: deps.background });
  return {
    askCrm: createAskCrm({ crm: governor, portal, cache, shared, leases: store.leases, clock, logger }),
    cache,
    clock,
    crm,
    portal,
    lifetimes: lifetimesOf(config.CRM_REFRESH_TTL_MINUTES),
    nameSegments: segments.name,
    markCompanyStale: createMarkCompanyStale({ cache, portal, clock, onFieldsChanged: segments.forget }),
  };
}
