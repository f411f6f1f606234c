import type { OrgId } from '@deskside/shared/orgid';
import { createRequestLimit } from '@deskside/simulators/crm/limits';
import type { CompanyAnswer, Crm, CrmCompany, OperatingTime, SegmentNames, UserAnswer } from '#crm/crm.ts';
import { createGovernor, type GovernorDeps } from '#crm/governor.ts';
import { ourLimits } from '#crm/limits.ts';
import { createMemoryBudget } from '#crm/memory-budget.ts';
import type { Logger } from '#runtime/logger.ts';
import { uncounted } from '#testing/quiet.ts';

/** A request received by the portal. */
interface PortalRequest {
  kind: 'companies' | 'users' | 'segments' | 'searches';
  keys: string[];
  /** Epoch milliseconds. */
  at: number;
}

export interface TestPortal extends Crm {
  requests: PortalRequest[];
  /** Requests beyond what the portal accepts. */
  limitErrors: number;
  latencyMs: number;
  /** What to answer instead; null for the company or user. */
  failure: (request: PortalRequest) => (CompanyAnswer & UserAnswer & SegmentNames) | 'hang' | null;
  operating: OperatingTime | null;
}

/** A portal in memory that enforces the published limits of the standard plan by the (fake) clock. */
export function testPortal(company: (orgId: string) => CrmCompany): TestPortal {
  const limit = createRequestLimit('standard', Date.now);
  async function come(
    request: PortalRequest,
  ): Promise<{ kind: 'failed'; code: 'rate_limited' } | ReturnType<TestPortal['failure']>> {
    self.requests.push(request);
    let refused = false;
    try {
      limit('one address');
    } catch {
      refused = true;
      self.limitErrors += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, self.latencyMs));
    return refused ? { kind: 'failed', code: 'rate_limited' } : self.failure(request);
  }
  function untilAborted(signal: AbortSignal): Promise<{ kind: 'failed'; code: 'timeout' }> {
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => resolve({ kind: 'failed', code: 'timeout' })),
    );
  }
  const self: TestPortal = {
    requests: [],
    limitErrors: 0,
    latencyMs: 300,
    failure: () => null,
    operating: null,
    portal: 'https://crm.example',
    knowsUsers: true,
    maxPerRequest: { companies: 16, users: 50, searches: 5 },
    operatingTime: () => self.operating,
    async findCompanies(orgIds, _by, signal) {
      let failure = await come({ kind: 'companies', keys: [...orgIds], at: Date.now() });
      if (failure === 'hang') failure = await untilAborted(signal);
      const answerOf = (orgId: OrgId): CompanyAnswer => failure ?? { kind: 'found', companies: [company(orgId)] };
      return { companies: new Map(orgIds.map((orgId) => [orgId, answerOf(orgId)])), users: new Map() };
    },
    async findUsers(ids, signal) {
      let failure = await come({ kind: 'users', keys: [...ids], at: Date.now() });
      if (failure === 'hang') failure = await untilAborted(signal);
      return new Map(ids.map((id): [string, UserAnswer] => [id, failure ?? { kind: 'empty' }]));
    },
    async searchCompanies(searches, signal) {
      let failure = await come({
        kind: 'searches',
        keys: searches.map((one) => String(one[0]?.value)),
        at: Date.now(),
      });
      if (failure === 'hang') failure = await untilAborted(signal);
      const failed = failure?.kind === 'failed' ? failure.code : null;
      return searches.map(() => ({ companies: [], isCut: false, failed }));
    },
    async readSegmentNames(signal) {
      let failure = await come({ kind: 'segments', keys: ['all'], at: Date.now() });
      if (failure === 'hang') failure = await untilAborted(signal);
      return failure ?? { kind: 'found', names: new Map([['15092', 'Medium']]) };
    },
  };
  return self;
}

/** Waits by the fake clock, which does not affect `node:timers/promises`. */
const sleep: GovernorDeps['sleep'] = (ms, _value, options) =>
  new Promise((resolve, reject) => {
    options?.signal.throwIfAborted();
    options?.signal.addEventListener('abort', reject);
    setTimeout(resolve, ms);
  });

/** A governor in front of a portal, and what it logged. */
export function governorFor(
  crm: TestPortal,
  {
    budget,
    requestTimeoutMs = 15_000,
    clock = Date.now,
    metrics = uncounted,
  }: Partial<Pick<GovernorDeps, 'budget' | 'requestTimeoutMs' | 'clock' | 'metrics'>> = {},
) {
  const lines: { level: string; fault?: string; kind?: string }[] = [];
  const line = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const logger: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const governor = createGovernor({
    crm,
    budget: budget ?? createMemoryBudget(ourLimits.standard, clock),
    clock,
    logger,
    metrics,
    requestTimeoutMs,
    sleep,
  });
  return { governor, lines, logger };
}

/** Distinct org ids. */
export function orgIds(count: number, first = 1_000_000_000): OrgId[] {
  return Array.from({ length: count }, (_, i) => String(first + i) as OrgId);
}
