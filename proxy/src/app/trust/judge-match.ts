import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { Context } from '#app/context.ts';
import type { SenderFacts } from '#app/remembered.ts';
import type { Candidate } from '#domain/intake/org-id-candidates.ts';
import { isOpenClaim } from '#domain/routing/claims.ts';
import { isRejected, standsOn } from '#domain/trust/agents-word.ts';
import { isDeskOwner, judgeTrust, type TrustInput } from '#domain/trust/judge-trust.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';
import type { Read } from '#ports/runtime/memory.ts';
import type { InsertedFor } from '#store/decisions/ticket-history.ts';
import type { Store } from '#store/store.ts';
import { readSenderRecords, type SenderRecordsNeeds } from './read-sender-records.ts';

export interface JudgeNeeds extends SenderRecordsNeeds {
  helpdesk: SenderRecordsNeeds['helpdesk'] & Pick<Context['helpdesk'], 'isDesk' | 'systemAccount' | 'readVersions'>;
  syncLog: Pick<Store['syncLog'], 'latest'>;
  decisions: Pick<Store['decisions'], 'list' | 'insertedFor'>;
  rejections: Pick<Store['rejections'], 'standing'>;
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
 * How a fact is learned, by what tells it from others of its kind; null if it is not known yet. Throws what `read` throws,
 * or the signal's reason.
 */
export type Learn = <F extends keyof SenderFacts>(
  fact: F,
  key: string,
  read: Read<SenderFacts[F]>,
  signal: AbortSignal,
) => Promise<SenderFacts[F] | null>;

/** By reading it from the helpdesk every time. */
const learnAnew: Learn = (_fact, _key, read, signal) => read(signal);

/**
 * Judges who vouches for an org id (docs/decisions.md 9): the one judgement behind profile, pipeline, Sync and linking.
 * Nothing is read that cannot change the result; `learn`: how what the helpdesk knows of the sender is read, if not anew.
 * Throws HelpdeskError.
 */
export async function judgeMatch(
  ctx: JudgeNeeds,
  match: MatchToJudge,
  signal: AbortSignal,
  learn: Learn = learnAnew,
): Promise<Judgement> {
  const { name, origin: present } = match.ticket;
  const { orgId } = match.candidate;
  const made = await ctx.decisions.insertedFor(name);
  const { hasOpenClaim, ...own } = await ourOwn(ctx, match, made);
  const address = senderAddress(present);
  // Who copied what a sender had typed vouches for nobody.
  const origin = made?.isCopied ? { ...present, owner: '' } : present;
  const isSenderChanged = made !== null && senderAddress(made) !== address;
  let known: TrustInput = {
    origin,
    candidate: match.candidate,
    companyEmails: match.company?.emails ?? [],
    ...own,
    ownerIsDesk: isDeskOwner(origin, origin.owner === ctx.helpdesk.systemAccount),
    sender: null,
    isSenderChanged,
  };
  const cheap = judgeTrust(known);
  if (cheap.level !== 'claimed' || address === null || own.isRejected)
    return { trust: cheap, isSettled: true, hasOpenClaim, isRejected: own.isRejected };
  if (isSenderChanged) {
    const readChange = (within: AbortSignal) => isChangedByDesk(ctx, name, address, within);
    const byDesk = await learn('isChangedByDesk', `${name} ${address}`, readChange, signal);
    if (!byDesk) return { trust: cheap, isSettled: byDesk !== null, hasOpenClaim, isRejected: false };
    // As if the desk had made it for this address: nobody has signed in under it here.
    known = { ...known, origin: { ...origin, viaCustomerPortal: false }, isSenderChanged: false, ownerIsDesk: true };
  }
  const readIsDesk = (within: AbortSignal) => ctx.helpdesk.isDesk(origin.owner, within);
  const readRecords = (within: AbortSignal) => readSenderRecords(ctx, address, orgId, within);
  const [ownerIsDesk, sender] = await Promise.all([
    known.ownerIsDesk ?? learn('isDesk', origin.owner, readIsDesk, signal),
    learn('records', `${orgId} ${address}`, readRecords, signal),
  ]);
  const isSettled = ownerIsDesk !== null && sender !== null;
  return { trust: judgeTrust({ ...known, ownerIsDesk, sender }), isSettled, hasOpenClaim, isRejected: false };
}

/** What our own records say: whose Sync still holds, which agent created the ticket with this org id, or rejected it. */
async function ourOwn(
  ctx: Pick<JudgeNeeds, 'syncLog' | 'decisions' | 'rejections'>,
  { ticket, candidate: { orgId }, company, entered = null }: MatchToJudge,
  made: InsertedFor | null,
) {
  const { name } = ticket;
  const [synced, decided, rejections] = await Promise.all([
    ctx.syncLog.latest(name),
    ctx.decisions.list(name),
    ctx.rejections.standing({ ticket: name, sender: senderAddress(made ?? ticket.origin) }),
  ]);
  const [latest] = decided;
  return {
    linkedBy: synced?.orgId === orgId && standsOn(synced, ticket) ? synced.agent : null,
    enteredBy: entered ?? agentWhoEntered(decided, orgId),
    hasOpenClaim: latest !== undefined && isOpenClaim(latest),
    isRejected: isRejected({ orgId, crmCompanyId: company?.fields.bitrix_id ?? null }, rejections),
  };
}

/**
 * The agent who created the ticket with this org id, according to our own record (docs/decisions.md 9); null if nobody
 * did. The ticket itself no longer proves it: its sender can have written to it since.
 *
 * @param decided every decision on the ticket, newest first
 */
function agentWhoEntered(decided: readonly Pick<RoutingDecision, 'inputs'>[], orgId: OrgId): string | null {
  const creation = decided[0]?.inputs.ticket_creation;
  for (const { inputs } of decided) {
    if (inputs.org_id?.value !== orgId || inputs.ticket_creation !== creation) continue;
    const word = inputs.org_id.trust?.evidence.find(({ code }) => code === 'entered_by_agent');
    if (word?.value) return word.value;
  }
  return null;
}

/** Whether the desk has put this address in the place of the one that the ticket was made for. Throws HelpdeskError. */
async function isChangedByDesk(
  { helpdesk }: { helpdesk: Pick<Context['helpdesk'], 'isDesk' | 'readVersions'> },
  ticket: string,
  address: string,
  signal: AbortSignal,
): Promise<boolean> {
  const versions = await helpdesk.readVersions(ticket, signal);
  const last = versions.find(({ raisedBy }) => raisedBy !== undefined);
  if (!last?.raisedBy || senderAddress({ raisedBy: last.raisedBy.to }) !== address) return false;
  return helpdesk.isDesk(last.by, signal);
}
