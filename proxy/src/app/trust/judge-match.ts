import type { LookupTrust } from '@deskside/shared/profile';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import { isOpenClaim } from '#domain/routing/open-claim.ts';
import { isRejected, standsOn } from '#domain/trust/agents-word.ts';
import { isDeskOwner, judgeTrust, type TrustInput } from '#domain/trust/judge-trust.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { SyncLog } from '#ports/customer/sync-log.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions, InsertedFor } from '#ports/routing/decisions.ts';
import { agentWhoEntered } from './agent-entry.ts';
import type { SenderKnowledge } from './sender-knowledge.ts';
import type { SenderMemory } from './sender-memory.ts';

export interface JudgeMatchDeps {
  helpdesk: Pick<HelpdeskTickets, 'isSystemAccount'>;
  /** Where to learn about senders: reads it, or tells only what is known already. */
  knowledge: SenderKnowledge;
  syncLog: Pick<SyncLog, 'latest'>;
  decisions: Pick<Decisions, 'list' | 'insertedFor'>;
  senderMemory: Pick<SenderMemory, 'rejections'>;
}

/** An org id on a ticket, with the company that the CRM has for it. */
interface MatchToJudge {
  ticket: Ticket;
  candidate: Candidate;
  company: CrmCompany | null;
  /** The agent whose entry of it was seen just now, before any decision was recorded. */
  entered?: string | null;
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
    const { name, origin: present } = match.ticket;
    const made = await deps.decisions.insertedFor(name);
    const { hasOpenClaim, ...own } = await ourOwn(deps, match, made);
    const address = senderAddress(present);
    // Who copied what a sender had typed vouches for nobody.
    const origin = made?.isCopied ? { ...present, owner: '' } : present;
    const isSenderChanged = made !== null && senderAddress(made) !== address;
    let known: TrustInput = {
      ...{ origin, candidate: match.candidate, companyEmails: match.company?.emails ?? [], ...own },
      ownerIsDesk: isDeskOwner(origin, deps.helpdesk.isSystemAccount(origin.owner)),
      ...{ sender: null, isSenderChanged },
    };
    const cheap = judgeTrust(known);
    if (cheap.level !== 'claimed' || address === null || own.isRejected)
      return { trust: cheap, isSettled: true, hasOpenClaim, isRejected: own.isRejected };
    if (isSenderChanged) {
      const byDesk = await knowledge.changedByDesk(name, address, signal);
      if (!byDesk) return { trust: cheap, isSettled: byDesk !== null, hasOpenClaim, isRejected: false };
      // As if the desk had made it for this address: nobody has signed in under it here.
      known = { ...known, origin: { ...origin, viaCustomerPortal: false }, isSenderChanged: false, ownerIsDesk: true };
    }
    const [ownerIsDesk, sender] = await Promise.all([
      known.ownerIsDesk ?? knowledge.isDesk(origin.owner, signal),
      knowledge.records(address, match.candidate.orgId, signal),
    ]);
    const isSettled = ownerIsDesk !== null && sender !== null;
    return { trust: judgeTrust({ ...known, ownerIsDesk, sender }), isSettled, hasOpenClaim, isRejected: false };
  };
}

/** What our own records say: whose Sync still holds, which agent created the ticket with this org id, or rejected it. */
async function ourOwn(
  { syncLog, decisions, senderMemory }: Pick<JudgeMatchDeps, 'syncLog' | 'decisions' | 'senderMemory'>,
  { ticket, candidate: { orgId }, company, entered = null }: MatchToJudge,
  made: InsertedFor | null,
) {
  const { name } = ticket;
  const [synced, decided, rejections] = await Promise.all([
    syncLog.latest(name),
    decisions.list(name),
    senderMemory.rejections(made === null ? ticket : { name, origin: { ...ticket.origin, raisedBy: made.raisedBy } }),
  ]);
  const [latest] = decided;
  return {
    linkedBy: synced?.orgId === orgId && standsOn(synced, ticket) ? synced.agent : null,
    enteredBy: entered ?? agentWhoEntered(decided, orgId),
    hasOpenClaim: latest !== undefined && isOpenClaim(latest),
    isRejected: isRejected({ orgId, crmCompanyId: company?.fields.bitrix_id ?? null }, rejections),
  };
}
