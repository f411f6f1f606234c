import type { LookupTrust, PendingPart, ProfileData } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import type { FindOwnerDeps } from '#app/crm/find-owner.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { type LookupDeps, lookupCompany } from '#app/crm/lookup-company.ts';
import { carriedOrgIds } from '#app/customer/carried-org-ids.ts';
import type { Background } from '#app/runtime/background.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { chosenFirst, isRejected } from '#domain/trust/agents-word.ts';
import { leaderOf, namedCompanies } from '#domain/trust/lead.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { type AdoptionBlockNeeds, adoptionBlock } from './adoption-block.ts';
import { type BlockInput, crmBlock } from './crm-block.ts';
import { type Found, type Judges, judgeCompanies } from './judge-companies.ts';
import type { PeekAccountLinks } from './peek-account-links.ts';
import type { RecordCheck } from './record-check.ts';
import type { RecordResponsible } from './record-responsible.ts';

export interface GetTicketProfileDeps {
  gate: AgentGate;
  clock: Clock;
  /** Null if no webhook is configured. */
  crm: (LookupDeps & FindOwnerDeps) | null;
  crmEnabled: boolean;
  /** The longest that the CRM may take (docs/settings.md#variables). */
  crmTimeoutMs: number;
  limitRefreshes: LimitRefreshes;
  decisions: Pick<Decisions, 'list'>;
  judge: Judges;
  adoptions: AdoptionBlockNeeds;
  senderMemory: SenderMemory;
  peekAccountLinks: PeekAccountLinks;
  recordResponsible: RecordResponsible;
  recordCheck: RecordCheck;
  background: Pick<Background, 'run'>;
  /** Where claims are accepted, a claim's ticket names the account owner too. Null: nobody has chosen, which agents are told. */
  claims: ClaimsMode | null;
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

/** What an answer is made of from the beginning on. */
interface Asked extends Pick<BlockInput, 'file' | 'refresh' | 'requestId' | 'startedAt' | 'crmLeft'> {
  /** How many milliseconds the answer may still take. */
  left: () => number;
}

/** The whole response takes at most five seconds (docs/decisions.md 7); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;

/**
 * The customer profile of a ticket (docs/api.md#profile). Where the ticket and its customer name different companies, the
 * better vouched for is shown and the others are named (docs/decisions.md 10a), of equals the one that an agent chose for
 * this sender earlier (29). What an agent has rejected is none of them (28). Throws AppError if the caller may not see
 * it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export function createGetTicketProfile(deps: GetTicketProfileDeps): GetTicketProfile {
  return async ({ caller, ticket, refresh, requestId, signal }) => {
    const startedAt = deps.clock();
    const file = await deps.gate.openTicket(caller, ticket, signal);
    if (refresh) deps.limitRefreshes(await deps.gate.requireAgent(caller, signal));
    const left = () => Math.max(0, startedAt + answerWithinMs - deps.clock());
    const crmLeft = () => Math.min(left(), deps.crmTimeoutMs);
    return answer({ file, refresh, requestId, startedAt, left, crmLeft });
  };

  async function answer(asked: Asked): Promise<ProfileData> {
    const { file, left } = asked;
    const { candidates: all, unusable } = await carriedOrgIds(deps.decisions, file);
    const [rejections, choices] = await Promise.all([
      deps.senderMemory.rejections(file.ticket),
      all.length > 1 ? deps.senderMemory.choices(file.ticket) : [],
    ]);
    const idsOf = ({ orgId }: Candidate) => ({ orgId, crmCompanyId: null });
    const named = chosenFirst(all, choices, idsOf).filter((one) => !isRejected(idsOf(one), rejections));
    const found = await lookUp(named, asked);
    const { companies } = namedCompanies(found);
    const judged = await judgeCompanies(deps.judge, companies, { ticket: file.ticket, left });
    const leader = leaderOf(judged);
    // The CRM may have a rejected company under another org id as well.
    const dropped = new Set(judged.flatMap((one) => (one.isRejected ? [one.candidate] : [])));
    const candidates = named.filter((one) => !dropped.has(one));
    const { otherwise } = namedCompanies(found.filter(({ candidate }) => !dropped.has(candidate)));
    const accountLinks = deps.peekAccountLinks(file.customer?.name ?? null);
    const [adoption, bitrix] = await Promise.all([
      leader ? adoptionBlock(deps.adoptions, file, leader.candidate) : {},
      crmBlock(deps, {
        ...{ ...asked, candidates, rejections },
        looked: (leader ?? otherwise)?.looked ?? null,
        trust: leader?.trust ?? null,
        others: judged.filter((company) => company !== leader && !company.isRejected),
      }),
    ]);
    const pending: PendingPart[] = [];
    if (leader?.isSettled === false) pending.push('lookup_trust');
    if (accountLinks === null) pending.push('haravan');
    const [held] = orderCandidates([], file.customer).candidates;
    const checked = found.find(({ candidate }) => candidate.orgId === held?.orgId)?.looked;
    if (file.customer && checked) deps.recordCheck(file.customer.name, checked);
    if (leader) {
      const { candidate, looked } = leader;
      follow(leader);
      const match = { ticket: file.ticket, candidate, company: looked.companies[0] ?? null };
      if (!leader.isSettled)
        deps.background.run(`judge ${file.ticket.name}`, async (signal) =>
          follow(await deps.judge.inTime(match, signal)),
        );
    }
    return {
      ticket: file.ticket.record,
      customer: file.customer?.record ?? null,
      contact: file.contact,
      haravan: accountLinks ?? [],
      bitrix: { ...bitrix, ...adoption },
      pending,
      notes: unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
    };

    /** What the ticket is told, and its decision, once it is known who vouches for the company. */
    function follow({ trust, hasOpenClaim }: { trust: LookupTrust | null; hasOpenClaim: boolean }): void {
      if (trust === null) return;
      const isVouched = trust.level !== 'claimed';
      // The sender reads the ticket: by default, someone who merely claims a company does not learn who looks after it.
      if (isVouched || deps.claims === 'accept') deps.recordResponsible(file.ticket, bitrix.responsible);
      if (isVouched && hasOpenClaim) deps.claimConfirmed(file.ticket.name);
    }
  }

  async function lookUp(candidates: Candidate[], { refresh, crmLeft }: Asked): Promise<Found[]> {
    const { crm } = deps;
    if (!deps.crmEnabled || !crm) return [];
    // All at once, so that they go out in one request.
    return Promise.all(
      candidates.map(async (candidate) => {
        const how = { refresh, acceptsStale: true, deadlineMs: crmLeft() };
        return { candidate, looked: await lookupCompany(crm, { orgId: candidate.orgId, ...how }) };
      }),
    );
  }
}
