import type { OrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Reading } from '#intake/read-query.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { CrmRequestKind, Metrics } from '#runtime/metrics-port.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import {
  type CompanyAnswer,
  type Crm,
  type LookupFields,
  lookupFields,
  type RequestKind,
  type SearchAnswer,
  type SegmentNames,
  type UserAnswer,
} from './crm.ts';
import type { BudgetedCrm, CompanyReply, CrmState, RequestBudget } from './crm-budget.ts';
import { watchOperatingTime } from './operating-time.ts';
import { createRequestCoalescer, type RequestCoalescer } from './request-coalescer.ts';
import { createScheduler, type SchedulerDeps } from './scheduler.ts';

export interface GovernorDeps {
  crm: Crm;
  budget: RequestBudget;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'crmAnswered' | 'companiesRead'>;
  /** Longest time for one request including retries, in milliseconds (`CRM_TIMEOUT_SECONDS`). */
  requestTimeoutMs: number;
  sleep?: SchedulerDeps['sleep'];
}

/**
 * Keeps the CRM within its budget (ARCHITECTURE.md#the-crms-budget): one bucket of requests for the whole portal, and a
 * circuit breaker for each kind of request, since a webhook that lost its rights to one may still have those to
 * another.
 */
export function createGovernor(deps: GovernorDeps): BudgetedCrm {
  const { crm, budget, clock, logger, metrics, requestTimeoutMs, sleep } = deps;
  const scheduler = createScheduler({ budget, portal: crm.portal, clock, sleep });
  const guardOf = (kind: CrmRequestKind) =>
    createCircuitBreaker({
      kind,
      clock,
      logger,
      operating: watchOperatingTime(() => (kind === 'segments' ? null : crm.operatingTime(kind)), {
        kind,
        clock,
        logger,
        yields: kind === 'searches',
      }),
      onLimit: () => budget.fill(crm.portal),
    });
  const common = { scheduler, metrics, requestTimeoutMs };

  const companyGuard = guardOf('companies');
  const companies = Object.fromEntries(
    lookupFields.map((by) => [
      by,
      createRequestCoalescer<CompanyReply>({
        ...common,
        kind: 'companies',
        breaker: companyGuard,
        maxPerRequest: crm.maxPerRequest.companies,
        send: (keys, signal) => sendCompanies(keys as OrgId[], by, signal),
        failed: (code) => ({ answer: { kind: 'failed', code }, owner: null, askedAt: clock() }),
        codeOf: ({ answer }) => failureOf(answer),
      }),
    ]),
  ) as Record<LookupFields, RequestCoalescer<CompanyReply>>;

  const users = createRequestCoalescer<UserAnswer>({
    ...common,
    kind: 'users',
    breaker: guardOf('users'),
    maxPerRequest: crm.maxPerRequest.users,
    send: (ids, signal) => crm.findUsers(ids, signal),
    failed: (code) => ({ kind: 'failed', code }),
    codeOf: failureOf,
  });

  // A search is its readings as JSON: the same question from several people is one.
  const searches = createRequestCoalescer<SearchAnswer>({
    ...common,
    kind: 'searches',
    breaker: guardOf('searches'),
    maxPerRequest: crm.maxPerRequest.searches,
    send: async (keys, signal) => {
      const answers = await crm.searchCompanies(
        keys.map((key): Reading[] => JSON.parse(key)),
        signal,
      );
      return new Map(keys.flatMap((key, at): [string, SearchAnswer][] => (answers[at] ? [[key, answers[at]]] : [])));
    },
    failed: (failed) => ({ companies: [], isCut: false, failed }),
    codeOf: ({ failed }) => failed,
  });

  const segments = createRequestCoalescer<SegmentNames>({
    ...common,
    kind: 'segments',
    breaker: guardOf('segments'),
    maxPerRequest: 1,
    send: async (keys, signal) => {
      const names = await crm.readSegmentNames(signal);
      return new Map(keys.map((key) => [key, names]));
    },
    failed: (code) => ({ kind: 'failed', code }),
    codeOf: failureOf,
  });

  async function sendCompanies(orgIds: OrgId[], by: LookupFields, signal: AbortSignal) {
    const askedAt = clock();
    const found = await crm.findCompanies(orgIds, by, signal);
    return new Map(
      [...found.companies].map(([orgId, answer]): [string, CompanyReply] => {
        metrics.companiesRead('crm', results[answer.kind], 1);
        const owner = answer.kind === 'found' ? answer.companies[0].fields.assigned_by_id : null;
        return [orgId, { answer, owner: (owner && found.users.get(owner)) || null, askedAt }];
      }),
    );
  }

  return {
    findCompany: (orgId, by, urgency) => companies[by].ask(orgId, urgency),
    findUser: (id, urgency) => users.ask(id, urgency),
    searchCompanies: (readings, urgency) => searches.ask(JSON.stringify(readings), urgency),
    readSegmentNames: (urgency) => segments.ask('all', urgency),
    state: async () => ({
      left: await budget.left(crm.portal),
      waiting: scheduler.waiting(),
      operatingSeconds: operatingSecondsOf(crm, clock()),
    }),
  };
}

/** What the CRM has counted in a window that has not ended yet. */
function operatingSecondsOf(crm: Pick<Crm, 'operatingTime'>, now: number): CrmState['operatingSeconds'] {
  const kinds: readonly RequestKind[] = ['companies', 'users', 'searches'];
  const counted = kinds.map((kind) => [kind, crm.operatingTime(kind)] as const);
  return Object.fromEntries(
    counted.flatMap(([kind, time]) => (time && now < time.resetAt ? [[kind, time.seconds]] : [])),
  );
}

const results = { found: 'hit', empty: 'miss', failed: 'failed' } as const satisfies Record<
  CompanyAnswer['kind'],
  string
>;

function failureOf(answer: CompanyAnswer | UserAnswer | SegmentNames): CrmErrorCode | null {
  return answer.kind === 'failed' ? answer.code : null;
}
