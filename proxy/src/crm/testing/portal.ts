import type { OrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import { createRequestLimit } from '@deskside/simulators/crm/limits';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type Bitrix24, maxOrgIds, type UserAnswer } from '#crm/bitrix24.ts';
import { type Budget, openBudget, ourLimits } from '#crm/limits.ts';
import type { QueueOptions } from '#crm/queue.ts';
import { CrmFailure, type OperatingTime } from '#crm/rest.ts';
import type { Logger, Metrics } from '#runtime/log.ts';
import { silent, uncounted } from '#runtime/testing/quiet.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import type { StateDb } from '#store/schema.ts';
import { fakeLayers } from './fakes.ts';
import { companyIdFirst, platformFirst, resultOf, type TestAnswer } from './test-answer.ts';

/** A request received by the portal. */
interface PortalRequest {
  kind: 'companies' | 'users' | 'segments' | 'searches';
  keys: string[];
  /** Epoch milliseconds. */
  at: number;
}

/** The failure of any kind of question. */
type PlannedFailure = { kind: 'failed'; code: CrmErrorCode; lostFilter?: string } | null;

export interface TestPortal extends Bitrix24 {
  requests: PortalRequest[];
  /** Requests beyond what the portal accepts. */
  limitErrors: number;
  latencyMs: number;
  /** What to answer instead; null for the company or user. */
  failure: (request: PortalRequest) => PlannedFailure | 'hang';
  operating: OperatingTime | null;
}

/** A portal in memory that enforces the published limits of the standard plan by the (fake) clock. */
export function testPortal(company: (orgId: string) => CrmCompany): TestPortal {
  const limit = createRequestLimit('standard', Date.now);
  /** Takes a request; gives what to answer instead, if anything. */
  async function come(
    kind: PortalRequest['kind'],
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<PlannedFailure> {
    const request = { kind, keys: [...keys], at: Date.now() };
    self.requests.push(request);
    let refused = false;
    try {
      limit('one address');
    } catch {
      refused = true;
      self.limitErrors += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, self.latencyMs));
    if (refused) return { kind: 'failed', code: 'rate_limited' };
    const failure = self.failure(request);
    if (failure !== 'hang') return failure;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { kind: 'failed', code: 'timeout' };
  }
  const self: TestPortal = {
    requests: [],
    limitErrors: 0,
    latencyMs: 300,
    failure: () => null,
    operating: null,
    portal: 'https://crm.example',
    knowsUsers: true,
    maxPerRequest: { companies: maxOrgIds, users: 50, searches: 5 },
    fieldOrder: (first) => (first === 'company_id' ? companyIdFirst : platformFirst),
    operatingTime: () => self.operating,
    async findCompanies(orgIds, signal) {
      const failure = await come('companies', orgIds, signal);
      const answerOf = (orgId: OrgId): TestAnswer => failure ?? { kind: 'found', companies: [company(orgId)] };
      return { companies: new Map(orgIds.map((orgId) => [orgId, resultOf(answerOf(orgId))])), users: new Map() };
    },
    async findUsers(ids, signal) {
      const failure = await come('users', ids, signal);
      return new Map(ids.map((id): [string, UserAnswer] => [id, failure ?? { kind: 'empty' }]));
    },
    async searchCompanies(searches, signal) {
      const asked = searches.map(([reading]) => String(reading?.value));
      const failure = await come('searches', asked, signal);
      return searches.map(() => ({ companies: [], isCut: false, failed: failure?.code ?? null }));
    },
    async readSegmentNames(signal) {
      const failure = await come('segments', ['all'], signal);
      if (failure) throw new CrmFailure(failure.code);
      return new Map([['15092', 'Medium']]);
    },
  };
  return self;
}

/** Waits by the fake clock, which does not affect `node:timers/promises`. */
const sleep: QueueOptions['sleep'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', reject);
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
    closed = new AbortController().signal,
  }: {
    budget?: Budget;
    requestTimeoutMs?: number;
    clock?: () => number;
    metrics?: Metrics;
    closed?: AbortSignal;
  } = {},
) {
  const lines: { level: string; fault?: string; kind?: string }[] = [];
  const line = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const logger: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const limited = { budget: budget ?? budgetOf(portal, clock), ttlMinutes: 0, requestTimeoutMs, sleep };
  const crm = fakeLayers({ crm: portal, db: keepsNothing, clock, logger, metrics, closed, ...limited });
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
