import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { helpdeskUpstream, serviceKeyOf } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { createFrappeSite, type FrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { createHelpdeskSearch } from '#adapters/helpdesk-frappe/reports/search.ts';
import { lruMemory } from '#adapters/memory-lru/memory.ts';
import { createMetrics, type MetricsRegistry } from '#adapters/metrics-prom/metrics.ts';
import { readMeta, rememberMeta } from '#adapters/store-meta/store-meta.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { callerSlots, serviceSlots } from '#app/access/credential-pools.ts';
import type { Context, Lasting } from '#app/context.ts';
import { createLimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { createEnrichmentRuns } from '#app/customer/enrichment-runs.ts';
import { createLimitSearches } from '#app/find/limit-searches.ts';
import { createMetaQueue } from '#app/intake/meta-queue.ts';
import { reportsPerAgent } from '#app/profile/note-missing-anchor.ts';
import { rememberedIn } from '#app/remembered.ts';
import { createBackground } from '#app/runtime/background.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { createRateLimit } from '#app/runtime/rate-limit.ts';
import type { Config } from '#config/environment.ts';
import { countWrites, type Writes } from '#http/middleware/one-second.ts';
import { type Egress, type Upstream, withEgress } from '#net/egress.ts';
import { createGuardedFetch } from '#net/guarded.ts';
import type { StoreMeta } from '#ports/intake/store-meta.ts';
import { boundTo } from '#ports/runtime/bound-to.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { openStore, type Store } from '#store/store.ts';
import { version } from '#version.ts';
import { type CrmUpstreams, crmUpstreams, wireCrm } from './crm.ts';
import { wireLogger } from './logger.ts';

const dayMs = 24 * 3_600_000;
/** Longest time one request to the helpdesk may take; a healthy one takes 30 ms at most (docs/helpdesk.md#speed). */
const helpdeskWithinMs = 8_000;

/** What a process has: what verbs take of it, and what its contexts are made of. */
export interface Process extends Lasting {
  store: Store;
  egress: Egress;
  metrics: MetricsRegistry;
  writes: Writes;
  /** The helpdesk; the second without the platform's accounts, which a setting names. */
  upstream: Upstream;
  site: FrappeSite;
  crmUpstream: CrmUpstreams;
  /**
   * `refused`: the helpdesk does not know our key. `arrived`: a ticket has come into the inbox. `written`: we may have written
   * to the ticket.
   */
  signs: EventEmitter<{ refused: []; arrived: []; written: [ticket: string] }>;
}

/** What is opened before anything else. */
interface Opened extends Pick<Process, 'store' | 'egress' | 'metrics' | 'clock' | 'logger' | 'stopped'> {
  /** Made elsewhere: a test's own shops, for example, which the guard would not let through. */
  storeMeta?: StoreMeta | undefined;
}

/** Makes what lasts as long as the process, whatever the settings become. */
export function processOn(config: Config, opened: Opened): Process {
  const { store, egress, metrics, clock, logger, stopped } = opened;
  const memory = lruMemory;
  const signs: Process['signs'] = new EventEmitter();
  const writes = countWrites();
  const helpdeskAt = (maxConnections: number) =>
    egress.upstream(config.HELPDESK_URL, { timeoutMs: helpdeskWithinMs, maxConnections });
  const upstream = helpdeskUpstream(config, {
    callers: helpdeskAt(callerSlots),
    service: helpdeskAt(serviceSlots),
    onRefused: () => signs.emit('refused'),
    onWrite: writes.note,
  });
  const site = createFrappeSite({ upstream, serviceKey: serviceKeyOf(config), logger, clock, signs });
  const { helpdesk } = site;
  const gate = createAgentGate({ helpdesk, memory });
  signs.on('written', gate.forgetTicket);
  const background = createBackground(logger);
  const withLock = createWithLock(store.leases);
  const storeMeta = rememberMeta(opened.storeMeta ?? boundTo(createGuardedFetch(), { read: readMeta }), memory);
  /** Something is known now that the ticket's decision went without. */
  const decideAgain = async (ticket: string) => {
    await store.inbox.enqueue([ticket], clock(), clock());
    signs.emit('arrived');
  };
  return {
    ...store,
    store,
    egress,
    metrics,
    writes,
    upstream,
    site,
    crmUpstream: crmUpstreams(egress),
    signs,
    anchorReports: createRateLimit(memory, reportsPerAgent),
    background,
    clock,
    gate,
    helpdesk,
    limitRefreshes: createLimitRefreshes(memory, clock),
    limitSearches: createLimitSearches(memory, clock),
    logger,
    memory,
    metaQueue: createMetaQueue({
      storeMeta,
      stopped,
      onArrival: (ticket) => background.run(`meta ${ticket}`, () => decideAgain(ticket)),
    }),
    stopped,
    storeMeta,
    withLock,
  };
}

/** The context of one configuration: what lasts, and what depends on the settings. */
export function contextOf(lasting: Process, config: Config): Context {
  const { rules } = config;
  return {
    ...lasting,
    accountLinks: rules.account_link && lasting.site.accountLinks(rules.account_link),
    about: { version, helpdeskUrl: config.HELPDESK_URL },
    remembered: rememberedIn(lasting.memory),
    search: createHelpdeskSearch(lasting.upstream, serviceKeyOf(config)),
    crm: wireCrm(config, { ...lasting.store, ...lasting }),
    crmEnabled: config.CRM_ENABLED,
    crmTimeoutMs: config.CRM_TIMEOUT_SECONDS * 1_000,
    routing: rules,
    contactAddressesVouch: rules.trust_contact_addresses,
    hosts: rules,
    platformHost: rules.platform_hosts[0] ?? null,
    retentionMs: config.RETENTION_DAYS * dayMs,
    routesTickets: config.HELPDESK_WEBHOOK_SECRET !== undefined,
    enrichmentRuns: createEnrichmentRuns(),
    pause: (ms, signal) => wait(ms, undefined, { signal }),
  };
}

/** Runs a command's work on a context of its own, without a service. Throws StoreError. */
export async function withContext<T>(
  config: Config,
  onWait: (place: string) => void,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const clock: Clock = Date.now;
  const { logger } = wireLogger(config);
  // Nothing stops a command but its own signal.
  const stopped = new AbortController().signal;
  const store = await openStore(config.DATABASE_URL.reveal(), clock, onWait);
  return withEgress(config, async (egress) => {
    const lasting = processOn(config, { store, egress, metrics: createMetrics(version), clock, logger, stopped });
    return work(contextOf(lasting, config)).finally(() => lasting.background.drain(1_000));
  }).finally(() => store.close());
}
