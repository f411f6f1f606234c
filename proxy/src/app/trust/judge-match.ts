import type { LookupTrust } from '@deskside/shared/profile';
import type { Basis } from '#app/runtime/answers/basis.ts';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import { isOpenClaim } from '#domain/routing/open-claim.ts';
import { isRejected } from '#domain/trust/agents-word.ts';
import { isDeskOwner, judgeTrust } from '#domain/trust/judge-trust.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { SyncLog } from '#ports/customer/sync-log.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import { agentWhoEntered } from './agent-entry.ts';
import type { SenderKnowledge } from './sender-knowledge.ts';
import type { SenderMemory } from './sender-memory.ts';

export interface JudgeMatchDeps {
  helpdesk: Pick<HelpdeskTickets, 'isSystemAccount'>;
  /** Where to learn about senders: reads it, or tells only what is known already. */
  knowledge: SenderKnowledge;
  syncLog: Pick<SyncLog, 'latest'>;
  decisions: Pick<Decisions, 'list'>;
  senderMemory: Pick<SenderMemory, 'rejections'>;
}

/** An org id on a ticket, with the company that the CRM has for it. */
interface MatchToJudge {
  ticket: Ticket;
  candidate: Candidate;
  company: CrmCompany | null;
  /** The agent whose entry of it was seen just now, before any decision was recorded. */
  entered?: string | null;
  /** Told what the judgement rests on besides our own records. */
  basis?: Basis;
}

export interface Judgement {
  trust: LookupTrust;
  /** False while something that might vouch is not known yet. */
  isSettled: boolean;
  /** Whether the ticket's latest decision was made on a claim that is still open (docs/decisions.md 10). */
  hasOpenClaim: boolean;
  /** Whether an agent has said that this is not the sender's company (docs/decisions.md 28): it is not proposed. */
  isRejected: boolean;
}

/**
 * Judges who vouches for an org id (docs/decisions.md 9): the one judgement behind profile, pipeline, Sync and linking.
 * Nothing is read that cannot change the result. Throws HelpdeskError.
 */
export type JudgeMatch = (match: MatchToJudge, signal: AbortSignal) => Promise<Judgement>;

export function createJudgeMatch(deps: JudgeMatchDeps): JudgeMatch {
  const { knowledge } = deps;
  return async (match, signal) => {
    const { origin } = match.ticket;
    const { hasOpenClaim, ...own } = await ourOwn(deps, match);
    const known = {
      ...{ origin, candidate: match.candidate, companyEmails: match.company?.emails ?? [], ...own },
      ownerIsDesk: isDeskOwner(origin, deps.helpdesk.isSystemAccount(origin.owner)),
      sender: null,
    };
    const cheap = judgeTrust(known);
    if (cheap.level !== 'claimed' || !origin.raisedBy || own.isRejected)
      return { trust: cheap, isSettled: true, hasOpenClaim, isRejected: own.isRejected };
    const [ownerIsDesk, sender] = await Promise.all([
      known.ownerIsDesk ?? knowledge.isDesk(origin.owner, signal, match.basis),
      knowledge.records(origin.raisedBy, match.candidate.orgId, signal, match.basis),
    ]);
    const isSettled = ownerIsDesk !== null && sender !== null;
    return { trust: judgeTrust({ ...known, ownerIsDesk, sender }), isSettled, hasOpenClaim, isRejected: false };
  };
}

/** What our own records say: whose Sync still holds, which agent created the ticket with this org id, or rejected it. */
async function ourOwn(
  { syncLog, decisions, senderMemory }: Pick<JudgeMatchDeps, 'syncLog' | 'decisions' | 'senderMemory'>,
  { ticket, candidate: { orgId }, company, entered = null }: MatchToJudge,
) {
  const { name, customer } = ticket;
  const [synced, decided, rejections] = await Promise.all([
    syncLog.latest(name),
    decisions.list(name),
    senderMemory.rejections(ticket),
  ]);
  const [latest] = decided;
  return {
    linkedBy: synced?.orgId === orgId && synced.customer === customer ? synced.agent : null,
    enteredBy: entered ?? agentWhoEntered(decided, orgId),
    hasOpenClaim: latest !== undefined && isOpenClaim(latest),
    isRejected: isRejected({ orgId, crmCompanyId: company?.fields.bitrix_id ?? null }, rejections),
  };
}
