import { setTimeout as wait } from 'node:timers/promises';
import { createFrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { createHelpdeskSearch } from '#adapters/helpdesk-frappe/reports/search.ts';
import { lruMemory } from '#adapters/memory-lru/memory.ts';
import { createMetrics } from '#adapters/metrics-prom/metrics.ts';
import { openStore, type Store } from '#adapters/store-sql/store.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { type BackfillCustomers, createBackfillCustomers } from '#app/customer/backfill/backfill-customers.ts';
import { createBackfillNightly } from '#app/customer/backfill/backfill-nightly.ts';
import { createBackground } from '#app/runtime/background.ts';
import type { Duties } from '#app/runtime/duties/duties.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import type { Config } from '#config/environment.ts';
import { version } from '#config/version.ts';
import { createEgress, type Upstream } from '#net/egress.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { crmUpstreams, wireCrm } from './crm.ts';
import { wireHelpdeskUpstream } from './helpdesk-upstream.ts';
import { wireLogger } from './monitoring/logger.ts';
import { serviceKeyOf } from './service-account.ts';
import { type Enrichment, wireEnrichment } from './writes.ts';

const dayMs = 86_400_000;
/** How often it is looked whether the hour has come, or an interrupted run is left. */
const lookEveryMs = 5 * 60_000;

/** The backfill under one configuration; null if no CRM is configured, or it is switched off. */
export function wireBackfill(parts: {
  config: Config;
  store: Pick<Store, 'upkeep' | 'leases'>;
  upstream: Upstream;
  helpdesk: HelpdeskTickets;
  enrichment: Pick<Enrichment, 'searchCompany' | 'enrichRecords'>;
  clock: Clock;
}): BackfillCustomers | null {
  const { config, store, helpdesk, clock } = parts;
  const { searchCompany, enrichRecords } = parts.enrichment;
  if (!config.CRM_ENABLED || searchCompany === null || enrichRecords === null) return null;
  return createBackfillCustomers({
    ...{ ...store, searchCompany, enrichRecords, clock, tickets: helpdesk },
    search: createHelpdeskSearch(parts.upstream, serviceKeyOf(config)),
    pause: (ms, signal) => wait(ms, undefined, { signal }),
  });
}

/** The nightly backfill, on a schedule. */
export interface Backfilling {
  start(): void;
  /** Ends the run that is under way; the next one goes on there. */
  stop(): Promise<void>;
}

/** @param parts.current the service under the configuration that is in force */
export function wireBackfilling(parts: {
  current: () => { config: Config; backfill: BackfillCustomers | null };
  store: Pick<Store, 'upkeep'>;
  duties: Duties;
  clock: Clock;
  logger: Logger;
}): Backfilling {
  const { current, logger } = parts;
  const stopped = new AbortController();
  const nightly = createBackfillNightly({
    ...{ upkeep: parts.store.upkeep, clock: parts.clock, logger },
    backfill: () => current().backfill,
    settings: () => {
      const { BACKFILL_HOUR: hour, BACKFILL_STALE_DAYS: days } = current().config;
      return hour === undefined ? null : { hour, staleAfterMs: days * dayMs };
    },
  });
  let ended: Promise<unknown> = Promise.resolve();
  return {
    start() {
      const how = { name: 'backfill', everyMs: lookEveryMs, logger, stopped: stopped.signal };
      ended = parts.duties.regularly(how, () => nightly(stopped.signal)).ended;
    },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** Runs work with a backfill of its own, without a service; with null if no CRM is configured. Throws StoreError. */
export async function withBackfill<T>(
  config: Config,
  onWait: (place: string) => void,
  work: (backfill: BackfillCustomers | null) => Promise<T>,
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
    const shared = { config, store, clock, logger, memory: lruMemory, background };
    const reaching = { upstream: crmUpstreams(egress) };
    const crm = wireCrm({ ...shared, ...reaching, metrics: createMetrics(version), onChanged: async () => {} });
    const gate = createAgentGate({ helpdesk, memory: lruMemory });
    const enrichment = wireEnrichment({ ...shared, helpdesk, crm, gate, withLock: createWithLock(store.leases) });
    return await work(wireBackfill({ config, store, upstream, helpdesk, enrichment, clock }));
  } finally {
    await background.drain(1_000);
    await Promise.all([store.close(), egress.close()]);
  }
}
