import type {
  AlsoNamed,
  Company,
  CrmBlock,
  HelpdeskContact,
  LookupTrust,
  PendingPart,
  ProfileData,
} from '@deskside/shared/profile';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { type FindOwnerDeps, findOwner } from '#app/crm/find-owner.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { alternativesOf, type Lookup, type LookupDeps, lookupCompany } from '#app/crm/lookup-company.ts';
import { withDeadline } from '#app/runtime/with-deadline.ts';
import type { JudgeMatch, Judgement } from '#app/trust/judge-match.ts';
import { chooseContact } from '#domain/crm/choose-contact.ts';
import { planStatus } from '#domain/crm/plan-status.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { leaderOf, namedCompanies } from '#domain/trust/lead.ts';
import type { Clock } from '#ports/clock.ts';
import type { CrmCompany } from '#ports/crm.ts';
import type { Ticket, TicketFile } from '#ports/helpdesk.ts';
import type { PeekAccountLinks } from './peek-account-links.ts';
import type { RecordResponsible } from './record-responsible.ts';

export interface GetTicketProfileDeps {
  gate: AgentGate;
  clock: Clock;
  /** Null if no webhook is configured. */
  crm: (LookupDeps & FindOwnerDeps) | null;
  crmEnabled: boolean;
  limitRefreshes: LimitRefreshes;
  /** By what is known at once, or with everything read that takes. Neither throws for our own records. */
  judge: Record<'atOnce' | 'inTime', JudgeMatch>;
  peekAccountLinks: PeekAccountLinks;
  recordResponsible: RecordResponsible;
  /** Has the ticket's decision judged again, which was made on a claim. */
  claimConfirmed: (ticket: string) => void;
}

export type GetTicketProfile = (input: {
  caller: Caller;
  ticket: string;
  refresh: boolean;
  requestId: string;
  signal: AbortSignal;
}) => Promise<ProfileData>;

/** The whole response takes at most five seconds (docs/decisions.md 7); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;
/** How long a judgement goes on that came too late for its own response: the next one has it. */
const judgeWithinMs = 20_000;

/** An org id of the ticket with what the CRM has for it. */
interface Found {
  candidate: Candidate;
  looked: Lookup;
}

/** One with a company; `trust` is null if it could not be judged in time. */
interface Judged extends Found, Omit<Judgement, 'trust'> {
  trust: LookupTrust | null;
}

/**
 * The customer profile of a ticket (docs/api.md#profile). Where the ticket and its customer name different companies, the
 * better vouched for is shown and the others are named (docs/decisions.md 10a). Throws AppError if the caller may not see
 * it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export function createGetTicketProfile(deps: GetTicketProfileDeps): GetTicketProfile {
  return async ({ caller, ticket, refresh, requestId, signal }) => {
    const startedAt = deps.clock();
    const file = await deps.gate.openTicket(caller, ticket, signal);
    if (refresh) deps.limitRefreshes(await deps.gate.requireAgent(caller, signal));
    const { candidates, unusable } = orderCandidates(file.ticket.orgIdFields, file.customer);
    const { companies, otherwise } = namedCompanies(await lookUp(candidates, refresh, startedAt));
    const judged = await judgeAll(file.ticket, companies, startedAt);
    const leader = leaderOf(judged);
    const accountLinks = deps.peekAccountLinks(file.customer?.name ?? null);
    const bitrix = await crmBlock({
      ...{ file, candidates, refresh, requestId, startedAt },
      looked: (leader ?? otherwise)?.looked ?? null,
      trust: leader?.trust ?? null,
      others: judged.filter((company) => company !== leader),
    });
    if (leader?.trust && leader.trust.level !== 'claimed') {
      // The sender reads the ticket: someone who merely claims a company must not learn who looks after it.
      deps.recordResponsible(file.ticket, bitrix.responsible);
      if (leader.hasOpenClaim) deps.claimConfirmed(file.ticket.name);
    }
    const pending: PendingPart[] = [];
    if (leader?.isSettled === false) pending.push('lookup_trust');
    if (accountLinks === null) pending.push('haravan');
    return {
      ticket: file.ticket.record,
      customer: file.customer?.record ?? null,
      contact: file.contact,
      haravan: accountLinks ?? [],
      bitrix,
      pending,
      notes: unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
    };
  };

  async function lookUp(candidates: Candidate[], refresh: boolean, startedAt: number): Promise<Found[]> {
    const { crm } = deps;
    if (!deps.crmEnabled || !crm) return [];
    // All at once, so that they go out in one request.
    return Promise.all(
      candidates.map(async (candidate) => {
        const how = { refresh, acceptsStale: true, deadlineMs: left(startedAt) };
        return { candidate, looked: await lookupCompany(crm, { orgId: candidate.orgId, ...how }) };
      }),
    );
  }

  /**
   * Who vouches for which company. For one company the answer does not wait. Of several the judgement decides which one
   * is shown: it is waited for, and what is not judged in time stays as it is, so that no later part moves the leader.
   */
  async function judgeAll(ticket: Ticket, companies: Found[], startedAt: number): Promise<Judged[]> {
    const signal = AbortSignal.timeout(judgeWithinMs);
    const matchOf = ({ candidate, looked }: Found) => ({ ticket, candidate, company: looked.companies[0] ?? null });
    const [only, ...others] = companies;
    if (!only) return [];
    if (others.length === 0) return [{ ...only, ...(await deps.judge.atOnce(matchOf(only), signal)) }];
    return Promise.all(
      companies.map(async (found) => {
        const judging = deps.judge.inTime(matchOf(found), signal).catch(() => 'failed' as const);
        const judgement = await withDeadline(judging, left(startedAt));
        if (judgement === 'timeout' || judgement === 'failed')
          return { ...found, trust: null, isSettled: true, hasOpenClaim: false };
        return { ...found, ...judgement };
      }),
    );
  }

  async function crmBlock(input: {
    file: TicketFile;
    candidates: Candidate[];
    looked: Lookup | null;
    trust: LookupTrust | null;
    others: Judged[];
    refresh: boolean;
    requestId: string;
    startedAt: number;
  }): Promise<CrmBlock> {
    const { file, candidates, looked, trust, others, refresh, startedAt } = input;
    const block: CrmBlock = {
      enabled: deps.crmEnabled,
      configured: deps.crm !== null,
      status:
        looked?.status ?? (candidates.length === 0 ? 'missing_orgid' : deps.crmEnabled ? 'missing_config' : 'disabled'),
      outcome: looked?.outcome ?? null,
      cached: looked?.status === 'cached',
      stale: looked?.stale ?? false,
      as_of: looked?.checkedAt ? new Date(looked.checkedAt).toISOString() : null,
      lookup_candidates: candidates.map((c) => c.orgId),
      lookup_value: looked?.value ?? null,
      lookup_trust: trust,
      company: null,
      contact: null,
      responsible: null,
      alternatives: [],
      also_named: others.flatMap(namedOf),
      error: looked?.error ? { code: looked.error, request_id: input.requestId } : null,
    };
    const company = looked?.companies[0];
    if (!company || !deps.crm) return block;
    return {
      ...block,
      company: companyNow(company, deps.clock()),
      contact: chooseContact(company.contacts, contactKeys(file)),
      responsible: await findOwner(deps.crm, {
        id: company.fields.assigned_by_id,
        // A CRM that has just failed is not asked for anything else.
        refresh: refresh && looked.error === null,
        startedAt,
        deadlineMs: left(startedAt),
      }),
      alternatives: alternativesOf(looked.companies),
    };
  }

  function left(startedAt: number): number {
    return Math.max(0, startedAt + answerWithinMs - deps.clock());
  }
}

function namedOf({ candidate, looked, trust }: Judged): AlsoNamed[] {
  return looked.companies.slice(0, 1).map(({ fields: { bitrix_id, company_name, url } }) => ({
    org_id: candidate.orgId,
    ...{ source: candidate.source, field: candidate.field, bitrix_id, company_name, url, trust },
  }));
}

function companyNow({ fields, planExpiresAt }: CrmCompany, now: number): Company {
  return { ...fields, ...planStatus(planExpiresAt, now) };
}

function contactKeys({ ticket, contact }: { ticket: Ticket; contact: HelpdeskContact | null }) {
  return {
    emails: [contact?.email_id, ticket.origin.raisedBy].flatMap((email) => email?.trim().toLowerCase() || []),
    phones: [contact?.mobile_no, contact?.phone].flatMap((phone) => phone || []),
  };
}
