import type { OrgId } from '@deskside/shared/orgid';
import { createRequestLimit } from '@deskside/simulators/crm/limits';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type Bitrix24, type CompanyAnswer, maxOrgIds, type UserAnswer } from '#crm/bitrix24.ts';
import { type Budget, openBudget, ourLimits } from '#crm/limits.ts';
import type { QueueOptions } from '#crm/queue.ts';
import { CrmFailure, type OperatingTime } from '#crm/rest.ts';
import type { Logger, Metrics } from '#runtime/log.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import type { StateDb } from '#store/schema.ts';
import { fakeLayers } from '#testing/fakes.ts';
import { silent, uncounted } from '#testing/quiet.ts';

/** A request received by the portal. */
interface PortalRequest {
  kind: 'companies' | 'users' | 'segments' | 'searches';
  keys: string[];
  /** Epoch milliseconds. */
  at: number;
}

export interface TestPortal extends Bitrix24 {
  requests: PortalRequest[];
  /** Requests beyond what the portal accepts. */
  limitErrors: number;
  latencyMs: number;
  /** What to answer instead; null for the company or user. */
  failure: (request: PortalRequest) => (CompanyAnswer & UserAnswer) | 'hang' | null;
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
    maxPerRequest: { ...maxOrgIds, users: 50, searches: 5 },
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
      if (failure?.kind === 'failed') throw new CrmFailure(failure.code);
      return new Map([['15092', 'Medium']]);
    },
  };
  return self;
}

/** Waits by the fake clock, which does not affect `node:timers/promises`. */
const sleep: QueueOptions['sleep'] = (ms, _value, options) =>
  new Promise((resolve, reject) => {
    options?.signal.throwIfAborted();
    options?.signal.addEventListener('abort', reject);
    setTimeout(resolve, ms);
  });

/** The CRM on a portal, within its budget, and what it logged. Nothing is kept. */
export function crmOn(
  portal: TestPortal,
  {
    budget,
    requestTimeoutMs = 15_000,
    clock = Date.now,
    metrics = uncounted,
  }: { budget?: Budget; requestTimeoutMs?: number; clock?: () => number; metrics?: Metrics } = {},
) {
  const lines: { level: string; fault?: string; kind?: string }[] = [];
  const line = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const logger: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const limited = { budget: budget ?? budgetOf(portal, clock), ttlMinutes: 0, requestTimeoutMs, sleep };
  const crm = fakeLayers({ crm: portal, db: keepsNothing, clock, logger, metrics, ...limited });
  return { crm, lines };
}

/** A budget of its own, as the standard plan allows it. */
export function budgetOf({ portal }: TestPortal, clock = Date.now): Budget {
  return openBudget({ db: null, limits: ourLimits.standard, portal, clock, logger: silent });
}

/** A store would take its own time, which a fake clock does not wait for. */
const keepsNothing: StateDb = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Distinct org ids. */
export function orgIds(count: number, first = 1_000_000_000): OrgId[] {
  return Array.from({ length: count }, (_, i) => String(first + i) as OrgId);
}
