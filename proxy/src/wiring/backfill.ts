import { createFrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { lruMemory } from '#adapters/memory-lru/memory.ts';
import { createMetrics } from '#adapters/metrics-prom/metrics.ts';
import { openStore } from '#adapters/store-sql/store.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { type Context, hasCrm, type Lasting, type WithCrm } from '#app/context.ts';
import { backfillNightly } from '#app/customer/backfill/backfill-nightly.ts';
import { matchCustomers } from '#app/customer/match/match-customers.ts';
import { createBackground } from '#app/runtime/background.ts';
import type { Duties } from '#app/runtime/duties/duties.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { reportsPerAgent } from '#app/runtime/note-missing-anchor.ts';
import { createRateLimit } from '#app/runtime/rate-limit.ts';
import type { Config } from '#config/environment.ts';
import { version } from '#config/version.ts';
import { createEgress } from '#net/egress.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { contextOf, storedParts } from './context.ts';
import { crmUpstreams, wireCrm } from './crm.ts';
import { wireHelpdeskUpstream } from './helpdesk-upstream.ts';
import { wireLogger } from './monitoring/logger.ts';
import { noPipeline } from './pipeline.ts';
import { serviceKeyOf } from './service-account.ts';

const dayMs = 86_400_000;
/** How often it is looked whether the hour has come, or an interrupted run is left. */
const lookEveryMs = 5 * 60_000;
/** How long an operator waits at most for a look to begin. */
const matchEveryMs = 5_000;

/** What work with all customers goes by (docs/operations.md#backfill, docs/decisions.md 42). */
export type BulkContext = WithCrm<Context>;

/** Null if no CRM is configured, or it is switched off. */
export function bulkContext(ctx: Context): BulkContext | null {
  return ctx.crmEnabled && hasCrm(ctx) ? ctx : null;
}

/** The nightly backfill, on a schedule. */
export interface Backfilling {
  start(): void;
  /** Ends the run that is under way; the next one goes on there. */
  stop(): Promise<void>;
}

/** @param parts.current the service under the configuration that is in force */
export function wireBackfilling(parts: {
  current: () => { config: Config; bulk: BulkContext | null };
  duties: Duties;
  logger: Logger;
}): Backfilling {
  const { current, logger } = parts;
  const stopped = new AbortController();
  const backfill = async () => {
    const { config, bulk } = current();
    const { BACKFILL_HOUR: hour, BACKFILL_STALE_DAYS: days } = config;
    await backfillNightly(bulk, { hour, staleAfterMs: days * dayMs }, stopped.signal);
  };
  /** Goes on with a look that an operator has begun, and that nobody is at. */
  const match = async () => {
    const { bulk } = current();
    if (bulk === null || !(await bulk.upkeep.lastMatching())?.after) return;
    const report = await matchCustomers(bulk, { onProgress: () => {}, onlyLeft: true }, stopped.signal);
    if (report.ended !== 'busy') logger.info({ ...report }, 'Looked for the companies of customers made by hand');
  };
  let ended: Promise<unknown> = Promise.resolve();
  return {
    start() {
      const how = { name: 'backfill', everyMs: lookEveryMs, logger, stopped: stopped.signal };
      const often = { ...how, name: 'matching', everyMs: matchEveryMs };
      ended = Promise.all([parts.duties.regularly(how, backfill).ended, parts.duties.regularly(often, match).ended]);
    },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** Runs work with all customers, without a service; with null if there is no CRM to ask. Throws StoreError. */
export async function withAllCustomers<T>(
  config: Config,
  onWait: (place: string) => void,
  work: (ctx: BulkContext | null) => Promise<T>,
): Promise<T> {
  const clock = Date.now;
  const { logger } = wireLogger(config);
  const store = await openStore(config.DATABASE_URL.reveal(), clock, onWait);
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const background = createBackground(logger);
  try {
    const upstream = wireHelpdeskUpstream(config, egress);
    const site = createFrappeSite({ upstream, serviceKey: serviceKeyOf(config), logger, clock });
    const helpdesk = site.withAccountLinks(config.rules.account_link);
    const shared = { clock, logger, memory: lruMemory, background };
    const metrics = createMetrics(version);
    const crm = wireCrm({ ...shared, config, store, upstream: crmUpstreams(egress), metrics });
    const lasting: Lasting = {
      ...storedParts(store),
      ...shared,
      ...noPipeline,
      gate: createAgentGate({ helpdesk, memory: lruMemory }),
      withLock: createWithLock(store.leases),
      // No agent asks a command, and nothing stops it but its own signal.
      anchorReports: createRateLimit(lruMemory, reportsPerAgent),
      limitRefreshes: () => {},
      limitSearches: (_agent, _signal, search) => search(),
      stopped: new AbortController().signal,
    };
    const ctx = contextOf(lasting, { config, helpdesk, crm, upstream });
    return await work(bulkContext(ctx));
  } finally {
    await background.drain(1_000);
    await Promise.all([store.close(), egress.close()]);
  }
}
