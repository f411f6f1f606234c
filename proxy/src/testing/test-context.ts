import { EventEmitter } from 'node:events';
import { type Call, type Context, rememberedIn, type Work } from '#context.ts';
import { refreshesPerUser } from '#crm/lookup.ts';
import { createEnrichmentRuns, createLimitSearches } from '#crm/per-user.ts';
import { fakeLayers } from '#crm/testing/fakes.ts';
import { sampleCrm } from '#crm/testing/sample-companies.ts';
import { AgentGate } from '#helpdesk/agent-gate.ts';
import { createMetaReader } from '#intake/meta-json.ts';
import { routingConfig } from '#routing/testing/pipeline-rules.ts';
import { Rules } from '#rules.ts';
import { createBackground } from '#runtime/jobs.ts';
import { createRateLimit, memoryBy } from '#runtime/memory.ts';
import { silent, uncounted } from '#runtime/testing/quiet.ts';
import { reportsPerAgent } from '#server/extension.ts';
import { createWithLock } from '#store/leases.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';
import { type Desk, newDesk } from './desk.ts';
import { callerOf } from './desk-seed.ts';

/** What a test gives of a context. */
export interface TestContextParts extends Partial<Omit<Context, 'helpdesk' | 'clock'>> {
  /** Several contexts with the same desk and store are processes of one service. */
  desk?: Desk;
  store?: MemoryStore;
}

/** A context, and what a test turns. */
export type TestContext = Work & { desk: Desk; store: MemoryStore; clock: Desk['clock'] };

/**
 * What a verb works with: a desk; the real store, in memory; a CRM with the sample companies behind all of its layers but
 * the budget; and a clock that the test turns.
 */
export function testContext({
  desk = newDesk(),
  store = memoryStore(desk.clock),
  ...given
}: TestContextParts = {}): TestContext {
  const { accountLinks, clock, helpdesk } = desk;
  const [logger, memory] = [given.logger ?? silent, given.memory ?? memoryBy(clock)];
  const { signal: stopped } = new AbortController();
  const gate = new AgentGate(helpdesk, memory);
  desk.signs.on('written', (ticket) => gate.forgetTicket(ticket));
  const withLock = createWithLock(store);
  return {
    ...store,
    desk,
    store,
    signal: new AbortController().signal,
    anchorReports: createRateLimit(memory, reportsPerAgent),
    background: createBackground(logger),
    clock,
    gate,
    refreshes: createRateLimit(memory, refreshesPerUser, clock),
    limitSearches: createLimitSearches(memory, clock),
    logger,
    memory,
    metrics: uncounted,
    about: { version: '0.0.0', helpdeskUrl: 'https://helpdesk.example' },
    remembered: rememberedIn(memory),
    stopped,
    withLock,
    metaJson: createMetaReader({
      // Shops have no meta.json.
      ask: async (host) => ({ kind: 'none', why: 'not_found', address: host }),
      memory,
      stopped,
      onArrival: () => {},
    }),
    signs: new EventEmitter(),
    accountLinks,
    helpdesk,
    crm: fakeLayers({ crm: sampleCrm(), db: store.db, memory, clock }),
    crmEnabled: true,
    crmTimeoutMs: 15_000,
    routing: routingConfig,
    contactAddressesVouch: false,
    sharedAddresses: [],
    hosts: Rules.parse({ platform_hosts: ['myplatform.example'] }),
    platformHost: null,
    retentionMs: 400 * 24 * 3_600_000,
    routesTickets: true,
    enrichmentRuns: createEnrichmentRuns(),
    pause: async () => {},
    ...given,
  };
}

/** The context of a request by one of the desk's people. */
export function callBy(ctx: Context, who: Parameters<typeof callerOf>[0]): Call {
  return { ...ctx, caller: callerOf(who), requestId: 'request', signal: new AbortController().signal };
}
