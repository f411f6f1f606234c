import type { AlsoNamed, CompanyFile, CrmBlock, LookupTrust, PendingPart, ProfileData } from '@deskside/shared/profile';
import type { RejectedCompany } from '@deskside/shared/rejection';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import type { FindOwnerDeps } from '#app/crm/find-owner.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { type Lookup, type LookupDeps, lookupCompany } from '#app/crm/lookup-company.ts';
import type { Basis } from '#app/runtime/basis.ts';
import { rememberAnswers } from '#app/runtime/remember-answers.ts';
import { withDeadline } from '#app/runtime/with-deadline.ts';
import type { JudgeMatch, Judgement } from '#app/trust/judge-match.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { chosenFirst, isRejected } from '#domain/trust/agents-word.ts';
import { leaderOf, namedCompanies } from '#domain/trust/lead.ts';
import type { Rejection } from '#ports/customer/company-rejections.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { RecordVersions } from '#ports/profile/record-versions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { companyFile, nothingLooked } from './company-file.ts';
import type { PeekAccountLinks } from './peek-account-links.ts';
import type { RecordResponsible } from './record-responsible.ts';

export interface GetTicketProfileDeps {
  gate: AgentGate;
  clock: Clock;
  /** Null if no webhook is configured. */
  crm: (LookupDeps & FindOwnerDeps) | null;
  crmEnabled: boolean;
  limitRefreshes: LimitRefreshes;
  /** Of the records that `judge` and `senderMemory` read. */
  recordVersions: RecordVersions;
  /** How often reading these records has failed: what is answered without them is not remembered. */
  recordFailures: () => number;
  /** By what is known at once, or with everything read that takes. Neither throws for our own records. */
  judge: Record<'atOnce' | 'inTime', JudgeMatch>;
  senderMemory: SenderMemory;
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
  /** Read only if something has to be waited for. */
  readonly signal: AbortSignal;
}) => Promise<ProfileData>;

interface Answer {
  data: ProfileData;
  /** How many companies were looked up for it. */
  lookUps: number;
  /** What follows each time it is given. */
  after(): void;
}

interface BlockInput {
  file: TicketFile;
  basis: Basis;
  candidates: Candidate[];
  rejections: Rejection[];
  /** The leading org id's look-up; null if there is none. */
  looked: Lookup | null;
  trust: LookupTrust | null;
  others: Judged[];
  refresh: boolean;
  requestId: string;
  startedAt: number;
}

/** The whole response takes at most five seconds (docs/decisions.md 7); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;
/** How long a judgement goes on that came too late for its own response: the next one has it. */
const judgeWithinMs = 20_000;

/** Only answers from the cache are remembered. */
const remembered = { status: 'cached', stale: false } as const;

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
 * better vouched for is shown and the others are named (docs/decisions.md 10a), of equals the one that an agent chose for
 * this sender earlier (29). What an agent has rejected is none of them (28). Throws AppError if the caller may not see
 * it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export function createGetTicketProfile(deps: GetTicketProfileDeps): GetTicketProfile {
  const answers = rememberAnswers<TicketFile, Answer>(
    ({ ticket, customer }) =>
      deps.senderMemory.about(ticket, orderCandidates(ticket.orgIdFields, customer).candidates.length > 1),
    deps.recordVersions,
    ({ lookUps }) => {
      for (let counted = 0; counted < lookUps; counted += 1) deps.crm?.metrics.companyAnswered(remembered);
      deps.crm?.metrics.companiesRead('memory', 'hit', lookUps);
    },
  );

  return async (input) => {
    const { caller, ticket, refresh, requestId } = input;
    const startedAt = deps.clock();
    const file =
      deps.gate.rememberedTicket(caller, ticket) ?? (await deps.gate.openTicket(caller, ticket, input.signal));
    if (refresh) deps.limitRefreshes(await deps.gate.requireAgent(caller, input.signal));
    const make = (basis: Basis) => answer({ file, refresh, requestId, startedAt, basis });
    const { data, after } = await (refresh ? answers.anew(file, make) : answers.of(file, make));
    after();
    return data;
  };

  async function answer(
    asked: Pick<BlockInput, 'file' | 'refresh' | 'requestId' | 'startedAt' | 'basis'>,
  ): Promise<Answer> {
    const { file, basis } = asked;
    basis.on(deps.recordFailures(), deps.recordFailures);
    const { candidates: all, unusable } = orderCandidates(file.ticket.orgIdFields, file.customer);
    const [rejections, choices] = await Promise.all([
      deps.senderMemory.rejections(file.ticket),
      all.length > 1 ? deps.senderMemory.choices(file.ticket) : [],
    ]);
    const idsOf = ({ orgId }: Candidate) => ({ orgId, crmCompanyId: null });
    const named = chosenFirst(all, choices, idsOf).filter((one) => !isRejected(idsOf(one), rejections));
    const { companies, otherwise } = namedCompanies(await lookUp(named, asked));
    const judged = await judgeAll(companies, asked);
    const leader = leaderOf(judged);
    // The CRM may have a rejected company under another org id as well.
    const dropped = new Set(judged.flatMap((one) => (one.isRejected ? [one.candidate] : [])));
    const candidates = named.filter((one) => !dropped.has(one));
    const accountLinks = deps.peekAccountLinks(file.customer?.name ?? null, basis);
    const bitrix = await crmBlock({
      ...{ ...asked, candidates, rejections },
      looked: (leader ?? (dropped.size === 0 ? otherwise : undefined))?.looked ?? null,
      trust: leader?.trust ?? null,
      others: judged.filter((company) => company !== leader && !company.isRejected),
    });
    const pending: PendingPart[] = [];
    if (leader?.isSettled === false) pending.push('lookup_trust');
    if (accountLinks === null) pending.push('haravan');
    const data: ProfileData = {
      ticket: file.ticket.record,
      customer: file.customer?.record ?? null,
      contact: file.contact,
      haravan: accountLinks ?? [],
      bitrix,
      pending,
      notes: unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
    };
    return {
      data,
      lookUps: deps.crmEnabled && deps.crm ? named.length : 0,
      after() {
        if (!leader?.trust || leader.trust.level === 'claimed') return;
        // The sender reads the ticket: someone who merely claims a company must not learn who looks after it.
        deps.recordResponsible(file.ticket, bitrix.responsible);
        if (leader.hasOpenClaim) deps.claimConfirmed(file.ticket.name);
      },
    };
  }

  async function lookUp(
    candidates: Candidate[],
    { refresh, startedAt, basis }: Pick<BlockInput, 'refresh' | 'startedAt' | 'basis'>,
  ): Promise<Found[]> {
    const { crm } = deps;
    if (!deps.crmEnabled || !crm) return [];
    // All at once, so that they go out in one request.
    return Promise.all(
      candidates.map(async (candidate) => {
        const how = { refresh, acceptsStale: true, deadlineMs: left(startedAt), basis };
        return { candidate, looked: await lookupCompany(crm, { orgId: candidate.orgId, ...how }) };
      }),
    );
  }

  /**
   * Who vouches for which company. For one company the answer does not wait. Of several the judgement decides which one
   * is shown: it is waited for, and what is not judged in time stays as it is, so that no later part moves the leader.
   */
  async function judgeAll(
    companies: Found[],
    { file: { ticket }, startedAt, basis }: Pick<BlockInput, 'file' | 'startedAt' | 'basis'>,
  ): Promise<Judged[]> {
    const signal = AbortSignal.timeout(judgeWithinMs);
    const matchOf = ({ candidate, looked }: Found) => ({
      ...{ ticket, candidate, basis },
      company: looked.companies[0] ?? null,
    });
    const [only, ...others] = companies;
    if (!only) return [];
    if (others.length === 0) return [{ ...only, ...(await deps.judge.atOnce(matchOf(only), signal)) }];
    return Promise.all(
      companies.map(async (found) => {
        const judging = deps.judge.inTime(matchOf(found), signal).catch(() => 'failed' as const);
        const judgement = await withDeadline(judging, left(startedAt));
        if (judgement === 'timeout' || judgement === 'failed') {
          basis.once();
          // What our own records say is known at once.
          const { isRejected } = await deps.judge.atOnce(matchOf(found), signal);
          return { ...found, trust: null, isSettled: true, hasOpenClaim: false, isRejected };
        }
        return { ...found, ...judgement };
      }),
    );
  }

  async function crmBlock(input: BlockInput): Promise<CrmBlock> {
    const { candidates, looked, trust, others, refresh } = input;
    const fileOf = (found: Lookup, isRefreshed: boolean) =>
      companyFile(deps, found, { ...input, refresh: isRefreshed, deadlineMs: left(input.startedAt) });
    const status = candidates.length === 0 ? 'missing_orgid' : deps.crmEnabled ? 'missing_config' : 'disabled';
    const [leading, also_named] = await Promise.all([
      looked ? fileOf(looked, refresh) : nothingLooked(status),
      Promise.all(others.flatMap((other) => alsoNamed(other, fileOf(other.looked, false)))),
    ]);
    return {
      ...leading,
      enabled: deps.crmEnabled,
      configured: deps.crm !== null,
      lookup_candidates: candidates.map((c) => c.orgId),
      lookup_value: looked?.value ?? null,
      lookup_trust: trust,
      also_named,
      rejected: input.rejections.map(rejectedOf),
    };
  }

  function left(startedAt: number): number {
    return Math.max(0, startedAt + answerWithinMs - deps.clock());
  }
}

function rejectedOf({ id, orgId, crmCompanyId, companyName, agent, reason, at, ticket }: Rejection): RejectedCompany {
  return {
    ...{ id, org_id: orgId, bitrix_id: crmCompanyId, company_name: companyName },
    ...{ agent, reason, at: new Date(at).toISOString(), ticket },
  };
}

function alsoNamed({ candidate, looked, trust }: Judged, file: Promise<CompanyFile>): Promise<AlsoNamed>[] {
  const { orgId, source, field } = candidate;
  return looked.companies.slice(0, 1).map(async ({ fields: { bitrix_id, company_name, url } }) => ({
    ...{ org_id: orgId, source, field, bitrix_id, company_name, url, trust },
    file: await file,
  }));
}
