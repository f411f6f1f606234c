import { setTimeout as wait } from 'node:timers/promises';
import { createFrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { createHelpdeskSearch } from '#adapters/helpdesk-frappe/reports/search.ts';
import { lruMemory } from '#adapters/memory-lru/memory.ts';
import { createMetrics } from '#adapters/metrics-prom/metrics.ts';
import { openStore, type Store } from '#adapters/store-sql/store.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import type { Context } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { type BackfillCustomers, createBackfillCustomers } from '#app/customer/backfill/backfill-customers.ts';
import { createBackfillNightly } from '#app/customer/backfill/backfill-nightly.ts';
import type { AcceptNeeds } from '#app/customer/match/accept-match.ts';
import type { ListMatchesNeeds } from '#app/customer/match/list-matches.ts';
import { type MatchNeeds, matchCustomers } from '#app/customer/match/match-customers.ts';
import { createBackground } from '#app/runtime/background.ts';
import type { Duties } from '#app/runtime/duties/duties.ts';
import { createWithLock, type WithLock } from '#app/runtime/duties/with-lock.ts';
import { reportsPerAgent } from '#app/runtime/note-missing-anchor.ts';
import { createRateLimit } from '#app/runtime/rate-limit.ts';
import type { Config } from '#config/environment.ts';
import { version } from '#config/version.ts';
import { readAddress } from '#domain/intake/store-address.ts';
import { isPublicMailDomain } from '#domain/trust/mail-domains.ts';
import { createEgress, type Upstream } from '#net/egress.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { contextOf, storedParts } from './context.ts';
import { crmUpstreams, wireCrm } from './crm.ts';
import { wireHelpdeskUpstream } from './helpdesk-upstream.ts';
import { wireLogger } from './monitoring/logger.ts';
import { serviceKeyOf } from './service-account.ts';
import { type Enrichment, platformHostOf, wireEnrichment } from './writes.ts';

const dayMs = 86_400_000;
/** How often it is looked whether the hour has come, or an interrupted run is left. */
const lookEveryMs = 5 * 60_000;
/** How long an operator waits at most for a look to begin. */
const matchEveryMs = 5_000;

/** The backfill under one configuration; null if no CRM is configured, or it is switched off. */
export function wireBackfill(parts: {
  ctx: Context;
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

/** What looks for the companies of customers made by hand, and accepts what was found. */
export type Matching = MatchNeeds & AcceptNeeds & ListMatchesNeeds;

/** The same for the customers made by hand (docs/decisions.md 42). */
export function wireMatching(parts: {
  ctx: Context;
  config: Config;
  store: Store;
  upstream: Upstream;
  helpdesk: HelpdeskRecords;
  crm: CrmLayers | null;
  enrichment: Pick<Enrichment, 'searchCompany'>;
  withLock: WithLock;
  clock: Clock;
}): Matching | null {
  const { config, store, crm } = parts;
  const { searchCompany } = parts.enrichment;
  if (!config.CRM_ENABLED || crm === null || searchCompany === null) return null;
  return {
    ...{ ...store, searchCompany, askInSpare: crm.askInSpare, withLock: parts.withLock, clock: parts.clock },
    ...{ records: parts.helpdesk, bindings: store.customerBindings, adoptions: store.customerAdoptions },
    matches: store.customerMatches,
    search: createHelpdeskSearch(parts.upstream, serviceKeyOf(config)),
    platformHost: platformHostOf(config),
    isAnybodys: (host) => isPublicMailDomain(host) || readAddress(host, config.rules)?.kind === 'guarded',
    pause: (ms, signal) => wait(ms, undefined, { signal }),
  };
}

/** The nightly backfill, on a schedule. */
export interface Backfilling {
  start(): void;
  /** Ends the run that is under way; the next one goes on there. */
  stop(): Promise<void>;
}

/** @param parts.current the service under the configuration that is in force */
export function wireBackfilling(parts: {
  current: () => { config: Config; backfill: BackfillCustomers | null; matching: Matching | null };
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
  /** Goes on with a look that an operator has begun, and that nobody is at. */
  const match = async () => {
    const matching = current().matching;
    if (matching === null || !(await matching.upkeep.lastMatching())?.after) return;
    const report = await matchCustomers(matching, { onProgress: () => {}, onlyLeft: true }, stopped.signal);
    if (report.ended !== 'busy') logger.info({ ...report }, 'Looked for the companies of customers made by hand');
  };
  let ended: Promise<unknown> = Promise.resolve();
  return {
    start() {
      const how = { name: 'backfill', everyMs: lookEveryMs, logger, stopped: stopped.signal };
      const often = { ...how, name: 'matching', everyMs: matchEveryMs };
      ended = Promise.all([
        parts.duties.regularly(how, () => nightly(stopped.signal)).ended,
        parts.duties.regularly(often, match).ended,
      ]);
    },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** Runs work with all customers, without a service; with null for each if no CRM is configured. Throws StoreError. */
export async function withAllCustomers<T>(
  config: Config,
  onWait: (place: string) => void,
  work: (all: { backfill: BackfillCustomers | null; matching: Matching | null }) => Promise<T>,
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
    const withLock = createWithLock(store.leases);
    const lasting = { ...storedParts(store), background, clock, gate, logger, memory: lruMemory, withLock };
    const anchorReports = createRateLimit(lruMemory, reportsPerAgent);
    // No agent asks a command, and nothing stops it but its own signal.
    const ctx = contextOf(
      { ...lasting, anchorReports, limitRefreshes: () => {}, stopped: new AbortController().signal },
      { config, helpdesk, crm, upstream },
    );
    const enrichment = wireEnrichment({ ...shared, ctx, helpdesk, crm, gate, withLock });
    const parts = { ctx, config, store, upstream, helpdesk, crm, enrichment, withLock, clock };
    return await work({ backfill: wireBackfill(parts), matching: wireMatching(parts) });
  } finally {
    await background.drain(1_000);
    await Promise.all([store.close(), egress.close()]);
  }
}
