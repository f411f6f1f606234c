import { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { demo, type HelpdeskSeed, makeSeed } from '@deskside/simulators/seed/index';
import { createFrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { createHelpdeskSearch } from '#adapters/helpdesk-frappe/reports/search.ts';
import { inProcess } from '#adapters/helpdesk-frappe/testing/in-process.ts';
import { rememberMeta } from '#adapters/store-meta/store-meta.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import type { Context } from '#app/context.ts';
import { createAskCrm } from '#app/crm/ask-crm.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { createLimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { createSearchCompanies } from '#app/crm/search-companies.ts';
import { createEnrichmentRuns } from '#app/customer/enrichment-runs.ts';
import { createLimitSearches } from '#app/find/limit-searches.ts';
import { createMetaQueue } from '#app/intake/meta-queue.ts';
import { reportsPerAgent } from '#app/operator/note-missing-anchor.ts';
import { rememberedIn } from '#app/remembered.ts';
import { createLearnTurns } from '#app/routing/known-turns.ts';
import { createBackground } from '#app/runtime/background.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { createRateLimit } from '#app/runtime/rate-limit.ts';
import { lifetimesOf } from '#domain/crm/freshness.ts';
import type { Crm } from '#ports/crm/crm.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { company, fakeClock, fakeCrm, fakeMemory, silent, uncounted, unlimited } from './fakes.ts';
import { routingConfig } from './pipeline/pipeline-rules.ts';

/** The shop of the demo's first ticket, `demo.tickets.matched`; the only company that the CRM has unless told otherwise. */
export const sampleOrgId = OrgId.parse('200000376001');

/** Whom to ask as: an account of the seed. */
export function callerOf({ name, apiKey, apiSecret }: { name: string; apiKey: string; apiSecret: string }) {
  return { authorization: `token ${apiKey}:${apiSecret}`, digest: name };
}

/** A CRM that never answers. */
export function hanging(): Crm {
  return Object.assign(fakeCrm(), { hold: new Promise<void>(() => {}) });
}

/** A context, and what a test turns. */
export type TestContext = Context & { clock: ReturnType<typeof fakeClock>; simulator: HelpdeskSimulator };

type Change = Partial<Omit<Context, 'crm' | 'clock'>> & {
  /** Behind all the layers but the budget; null: none is configured. */
  crm?: Crm | null;
  /** Changes the demo's helpdesk before it starts. */
  seed?: (seed: HelpdeskSeed) => void;
};

/**
 * What a verb works with: the demo's helpdesk, simulated in this process behind the real adapter; the real store, in
 * memory; and a clock that the test turns. `change`: members that the test brings itself.
 */
export function testContext({ crm = sampleCrm(), seed: changeSeed, ...change }: Change = {}): TestContext {
  const clock = fakeClock();
  const seed = makeSeed({ now: new Date(clock()) }).helpdesk;
  changeSeed?.(seed);
  const { simulator, answer } = makeHelpdesk({ seed, now: clock });
  const upstream = inProcess(answer);
  const serviceKey = `${demo.service.apiKey}:${demo.service.apiSecret}`;
  const store = memoryStore(clock);
  const [logger, memory] = [change.logger ?? silent, change.memory ?? fakeMemory(clock)];
  const background = createBackground(logger);
  const helpdesk = createFrappeSite({ upstream, serviceKey, logger, clock }).withAccountLinks(null);
  const withLock = createWithLock(change.leases ?? store.leases);
  const { signal: stopped } = new AbortController();
  // Shops have no meta.json.
  const storeMeta = rememberMeta({ read: async (host) => ({ kind: 'none', why: 'not_found', address: host }) }, memory);
  return {
    ...store,
    anchorReports: createRateLimit(memory, reportsPerAgent),
    background,
    clock,
    gate: createAgentGate({ helpdesk: change.helpdesk ?? helpdesk, memory }),
    limitRefreshes: createLimitRefreshes(memory, clock),
    limitSearches: createLimitSearches(memory, clock),
    logger,
    memory,
    about: { version: '0.0.0', helpdeskUrl: 'https://helpdesk.example' },
    remembered: rememberedIn(memory),
    stopped,
    withLock,
    learnTurns: createLearnTurns({ ...store, helpdesk, withLock, logger }),
    storeMeta,
    metaQueue: createMetaQueue({ storeMeta, stopped, onArrival: () => {} }),
    signs: { emit: () => true },
    helpdesk,
    search: createHelpdeskSearch(upstream, serviceKey),
    crm: crm && layersOver(crm, { ...store, profileCache: store.profileCache, memory, clock }),
    crmEnabled: true,
    crmTimeoutMs: 15_000,
    claims: null,
    routing: routingConfig,
    hosts: { platform_hosts: ['myplatform.example'], guarded_domains: [] },
    platformHost: null,
    retentionMs: 400 * 24 * 3_600_000,
    routesTickets: true,
    enrichmentRuns: createEnrichmentRuns(),
    pause: async () => {},
    simulator,
    ...change,
  };
}

function sampleCrm(): Crm {
  return fakeCrm({ [sampleOrgId]: company(sampleOrgId) });
}

/** The layers as the service has them, without budget. */
function layersOver(
  crm: Crm,
  {
    profileCache: cache,
    leases,
    memory,
    clock,
  }: Pick<Context, 'leases' | 'memory' | 'clock'> & Pick<ReturnType<typeof memoryStore>, 'profileCache'>,
): CrmLayers {
  const { portal } = crm;
  const budgeted = unlimited(crm);
  const searchCompanies = createSearchCompanies({ crm: budgeted, memory, clock });
  return {
    askCrm: createAskCrm({ crm: budgeted, portal, cache, shared: cache, leases, clock, logger: silent }),
    cache,
    clock,
    crm,
    metrics: uncounted,
    portal,
    lifetimes: lifetimesOf(60),
    nameSegments: (companies) => companies,
    searchCompanies,
    askInSpare: (readings) => searchCompanies(readings),
    forgetSegments: () => {},
    state: budgeted.state,
  };
}
