import type { LookupTrust } from '@deskside/shared/profile';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import { isDeskOwner, judgeTrust, type TrustInput } from '#domain/trust/judge-trust.ts';
import type { CrmCompany } from '#ports/crm.ts';
import type { Decisions } from '#ports/decisions.ts';
import type { Ticket } from '#ports/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk-tickets.ts';
import type { SyncLog } from '#ports/sync-log.ts';
import { agentWhoEntered } from './agent-entry.ts';
import type { ReadSenderRecords } from './read-sender-records.ts';

export interface TrustSources {
  helpdesk: Pick<HelpdeskTickets, 'isAgent' | 'isSystemAccount' | 'serviceUser'>;
  readSenderRecords: ReadSenderRecords;
  syncLog: Pick<SyncLog, 'latest'>;
  decisions: Pick<Decisions, 'list'>;
}

/** An org id on a ticket, with the company that the CRM has for it. */
export interface MatchToJudge {
  ticket: Ticket;
  candidate: Candidate;
  company: CrmCompany | null;
  /** The agent whose entry of it was seen just now, before any decision was recorded. */
  entered?: string | null;
}

/**
 * Judges who vouches for an org id (docs/decisions.md 9), waiting for everything that takes. The profile, which never
 * waits, judges by the same inputs as far as they are known. Throws HelpdeskError.
 */
export type JudgeMatch = (match: MatchToJudge, signal: AbortSignal) => Promise<LookupTrust>;

export function createJudgeMatch(sources: TrustSources): JudgeMatch {
  const { helpdesk } = sources;
  return async (match, signal) => {
    const { origin } = match.ticket;
    const own = await ownWords(sources, match);
    const known = trustInput(match, {
      ...own,
      ownerIsDesk: await isDeskAccount(helpdesk, origin, signal),
      sender: null,
    });
    const cheap = judgeTrust(known);
    if (cheap.level !== 'claimed' || !origin.raisedBy) return cheap;
    const sender = await sources.readSenderRecords(origin.raisedBy, match.candidate.orgId, signal);
    return judgeTrust({ ...known, sender });
  };
}

/** What the helpdesk knows about who raised a ticket; null if it has not been looked up. */
export type SenderKnowledge = Pick<TrustInput, 'ownerIsDesk' | 'sender'>;

/** What our own records say: the agent whose Sync still holds, and the one who created the ticket with this org id. */
export type OwnWords = Required<Pick<TrustInput, 'linkedBy' | 'enteredBy'>>;

/** The one place where the inputs of a judgement are assembled. */
export function trustInput(
  { ticket: { origin }, candidate, company }: MatchToJudge,
  known: OwnWords & SenderKnowledge,
): TrustInput {
  return { origin, candidate, companyEmails: company?.emails ?? [], ...known };
}

export async function ownWords(
  { syncLog, decisions }: Pick<TrustSources, 'syncLog' | 'decisions'>,
  { ticket: { name, customer }, candidate: { orgId }, entered = null }: MatchToJudge,
): Promise<OwnWords> {
  const [synced, recorded] = await Promise.all([syncLog.latest(name), agentWhoEntered(decisions, name, orgId)]);
  const linkedBy = synced?.orgId === orgId && synced.customer === customer ? synced.agent : null;
  return { linkedBy, enteredBy: entered ?? recorded };
}

/**
 * Whether the account that created a ticket belongs to the support team: the helpdesk's, the service's, or an agent's.
 */
async function isDeskAccount(
  helpdesk: TrustSources['helpdesk'],
  origin: Ticket['origin'],
  signal: AbortSignal,
): Promise<boolean> {
  const told = isDeskOwner(origin, helpdesk.isSystemAccount(origin.owner));
  if (told !== null) return told;
  return origin.owner === (await helpdesk.serviceUser(signal)) || helpdesk.isAgent(origin.owner, signal);
}
