import type { OrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Clock } from '../../ports/clock.ts';
import {
  type CompanyAnswer,
  type Crm,
  type LookupFields,
  lookupFields,
  type RequestKind,
  type SegmentNames,
  type UserAnswer,
} from '../../ports/crm.ts';
import type { BudgetedCrm, CompanyReply, RequestBudget } from '../../ports/crm-budget.ts';
import type { Logger } from '../../ports/logger.ts';
import { createDesk, type Desk } from './desk.ts';
import { createGuard } from './guard.ts';
import { watchOperatingTime } from './operating-time.ts';
import { createScheduler } from './scheduler.ts';
import type { Sleep } from './sleep.ts';

export interface GovernorDeps {
  crm: Crm;
  budget: RequestBudget;
  clock: Clock;
  logger: Logger;
  /** Longest time that one request may take, its repetitions included, in milliseconds (`CRM_TIMEOUT_SECONDS`). */
  requestTimeoutMs: number;
  sleep: Sleep;
}

/**
 * Keeps the CRM within its budget (design.md section 5): one bucket of requests for the portal whatever is asked, and
 * for each kind of request a breaker of its own, since a webhook that lost its rights for one may keep those for another.
 */
export function createGovernor({ crm, budget, clock, logger, requestTimeoutMs, sleep }: GovernorDeps): BudgetedCrm {
  const scheduler = createScheduler({ budget, portal: crm.portal, clock, sleep });
  const guardOf = (kind: RequestKind | 'segments') =>
    createGuard({
      kind,
      clock,
      logger,
      operating: watchOperatingTime(() => (kind === 'segments' ? null : crm.operatingTime(kind)), {
        kind,
        clock,
        logger,
      }),
      onLimit: () => budget.fill(crm.portal),
    });
  const common = { scheduler, requestTimeoutMs };

  const companyGuard = guardOf('companies');
  const companies = Object.fromEntries(
    lookupFields.map((by) => [
      by,
      createDesk<CompanyReply>({
        ...common,
        guard: companyGuard,
        most: crm.mostPerRequest.companies,
        send: (keys, signal) => sendCompanies(keys as OrgId[], by, signal),
        failed: (code) => ({ answer: { kind: 'failed', code }, owner: null, askedAt: clock() }),
        codeOf: ({ answer }) => failureOf(answer),
      }),
    ]),
  ) as Record<LookupFields, Desk<CompanyReply>>;

  const users = createDesk<UserAnswer>({
    ...common,
    guard: guardOf('users'),
    most: crm.mostPerRequest.users,
    send: (ids, signal) => crm.findUsers(ids, signal),
    failed: (code) => ({ kind: 'failed', code }),
    codeOf: failureOf,
  });

  const segments = createDesk<SegmentNames>({
    ...common,
    guard: guardOf('segments'),
    most: 1,
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
        const owner = answer.kind === 'found' ? answer.companies[0].fields.assigned_by_id : null;
        return [orgId, { answer, owner: (owner && found.users.get(owner)) || null, askedAt }];
      }),
    );
  }

  return {
    findCompany: (orgId, by, urgency) => companies[by].ask(orgId, urgency),
    hurryCompany: (orgId, by, urgency) => companies[by].hurry(orgId, urgency),
    findUser: (id, urgency) => users.ask(id, urgency),
    hurryUser: (id, urgency) => users.hurry(id, urgency),
    readSegmentNames: (urgency) => segments.ask('all', urgency),
  };
}

function failureOf(answer: CompanyAnswer | UserAnswer | SegmentNames): CrmErrorCode | null {
  return answer.kind === 'failed' ? answer.code : null;
}
