import type { PendingPart, ProfileData } from '@deskside/shared/profile';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import type { FindOwnerDeps } from '#app/crm/find-owner.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { type LookupDeps, lookupCompany } from '#app/crm/lookup-company.ts';
import type { Basis } from '#app/runtime/answers/basis.ts';
import { rememberAnswers } from '#app/runtime/answers/remember-answers.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { chosenFirst, isRejected } from '#domain/trust/agents-word.ts';
import { leaderOf, namedCompanies } from '#domain/trust/lead.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { RecordVersions } from '#ports/profile/record-versions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { type BlockInput, crmBlock } from './crm-block.ts';
import { type Found, type Judges, judgeCompanies } from './judge-companies.ts';
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
  judge: Judges;
  senderMemory: SenderMemory;
  peekAccountLinks: PeekAccountLinks;
  recordResponsible: RecordResponsible;
  /** Has the ticket's decision judged again, which was made on a claim. */
  claimConfirmed: (ticket: string) => void;
}

/**
 * The profile that this caller was given for this ticket before, if all that it was made of is still the same and known
 * without waiting. Who gets undefined has to ask for it.
 */
export type RememberedProfile = (caller: Caller, ticket: string) => ProfileData | undefined;

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

/** What an answer is made of from the beginning on. */
type Asked = Pick<BlockInput, 'file' | 'basis' | 'refresh' | 'requestId' | 'startedAt' | 'left'>;

/** The whole response takes at most five seconds (docs/decisions.md 7); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;

/** Only answers from the cache are remembered. */
const remembered = { status: 'cached', stale: false } as const;

/**
 * The customer profile of a ticket (docs/api.md#profile). Where the ticket and its customer name different companies, the
 * better vouched for is shown and the others are named (docs/decisions.md 10a), of equals the one that an agent chose for
 * this sender earlier (29). What an agent has rejected is none of them (28). Throws AppError if the caller may not see
 * it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export function createGetTicketProfile(deps: GetTicketProfileDeps): {
  getTicketProfile: GetTicketProfile;
  rememberedProfile: RememberedProfile;
} {
  const answers = rememberAnswers<TicketFile, Answer>(
    ({ ticket, customer }) =>
      deps.senderMemory.about(ticket, orderCandidates(ticket.orgIdFields, customer).candidates.length > 1),
    deps.recordVersions,
    ({ lookUps }) => {
      for (let counted = 0; counted < lookUps; counted += 1) deps.crm?.metrics.companyAnswered(remembered);
      deps.crm?.metrics.companiesRead('memory', 'hit', lookUps);
    },
  );

  async function getTicketProfile(input: Parameters<GetTicketProfile>[0]): Promise<ProfileData> {
    const { caller, ticket, refresh, requestId } = input;
    const startedAt = deps.clock();
    const file =
      deps.gate.rememberedTicket(caller, ticket) ?? (await deps.gate.openTicket(caller, ticket, input.signal));
    if (refresh) deps.limitRefreshes(await deps.gate.requireAgent(caller, input.signal));
    const left = () => Math.max(0, startedAt + answerWithinMs - deps.clock());
    const make = (basis: Basis) => answer({ file, refresh, requestId, startedAt, basis, left });
    const { data, after } = await (refresh ? answers.anew(file, make) : answers.of(file, make));
    after();
    return data;
  }

  function rememberedProfile(caller: Caller, ticket: string): ProfileData | undefined {
    const file = deps.gate.rememberedTicket(caller, ticket);
    const known = file && answers.atOnce(file);
    known?.after();
    return known?.data;
  }

  return { getTicketProfile, rememberedProfile };

  async function answer(asked: Asked): Promise<Answer> {
    const { file, basis, left } = asked;
    basis.on(deps.recordFailures(), deps.recordFailures);
    const { candidates: all, unusable } = orderCandidates(file.ticket.orgIdFields, file.customer);
    const [rejections, choices] = await Promise.all([
      deps.senderMemory.rejections(file.ticket),
      all.length > 1 ? deps.senderMemory.choices(file.ticket) : [],
    ]);
    const idsOf = ({ orgId }: Candidate) => ({ orgId, crmCompanyId: null });
    const named = chosenFirst(all, choices, idsOf).filter((one) => !isRejected(idsOf(one), rejections));
    const { companies, otherwise } = namedCompanies(await lookUp(named, asked));
    const judged = await judgeCompanies(deps.judge, companies, { ticket: file.ticket, basis, left });
    const leader = leaderOf(judged);
    // The CRM may have a rejected company under another org id as well.
    const dropped = new Set(judged.flatMap((one) => (one.isRejected ? [one.candidate] : [])));
    const candidates = named.filter((one) => !dropped.has(one));
    const accountLinks = deps.peekAccountLinks(file.customer?.name ?? null, basis);
    const bitrix = await crmBlock(deps, {
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

  async function lookUp(candidates: Candidate[], { refresh, basis, left }: Asked): Promise<Found[]> {
    const { crm } = deps;
    if (!deps.crmEnabled || !crm) return [];
    // All at once, so that they go out in one request.
    return Promise.all(
      candidates.map(async (candidate) => {
        const how = { refresh, acceptsStale: true, deadlineMs: left(), basis };
        return { candidate, looked: await lookupCompany(crm, { orgId: candidate.orgId, ...how }) };
      }),
    );
  }
}
