import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import domains from 'free-email-domains/domains.json' with { type: 'json' };
import type { Context, Work } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { Ticket, TicketFile } from '#helpdesk/tickets.ts';
import { type Candidate, type Candidates, orderCandidates } from '#intake/org-id.ts';
import * as decisions from '#store/decisions.ts';
import * as rejections from '#store/rejections.ts';
import { isSameTicket } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { chosenFirst, hasGiven, isOpenClaim, isRejected, isSameCompany, standsOn } from './companies.ts';
import { judgeTrust, otherReader, type TicketFacts } from './judge.ts';

export interface Judgement {
  trust: LookupTrust;
  /** Whether the ticket's latest decision was made on a claim that is still open (docs/decisions.md 9). */
  hasOpenClaim: boolean;
  /** Whether an agent has said that this is not the sender's company (docs/decisions.md 13): it is not proposed. */
  isRejected: boolean;
}

/** What a webhook told of a ticket; null: none did. */
type Insert = tickets.Insert | null;

/** How many splits are followed back to the ticket that somebody made. */
const mostSplits = 5;

/** Gathers what is known of a ticket and its sender. Throws HelpdeskError. */
export async function ticketFacts(ctx: Work, ticket: Ticket): Promise<TicketFacts> {
  const sender = senderAddress(ticket.origin);
  const owner = ticket.origin.owner.trim().toLowerCase();
  const insert = await tickets.insertOf(ctx.db, ticket);
  // Its sender may have written the field since.
  const splitFrom = insert === null ? ticket.splitFrom : insert.splitFrom;
  const isSplit = splitFrom !== null;
  const isOfFirst = splitFrom !== null && (insert === null || senderAddress(insert) === sender);
  const [ownerKind, first, contactOfOther] = await Promise.all([
    owner === sender ? ('other' as const) : kindOf(ctx, owner),
    isOfFirst ? firstInsert(ctx, splitFrom) : insert,
    contactAccount(ctx, [ticket.contactOwner, ticket.contact], sender),
  ]);
  const insertedFor = first === null ? undefined : senderAddress(first);
  const contactAtInsertOfOther = await insertedContactAccount(ctx, ticket, [insert, first], sender);
  const isInsertKnown = insert !== null;
  return { sender, owner, ownerKind, isSplit, isInsertKnown, insertedFor, contactOfOther, contactAtInsertOfOther };
}

/** The website account, not the sender's, that reads the ticket as it was read; null: none does. Throws HelpdeskError. */
export async function readerOf(ctx: Work, ticket: Ticket): Promise<string | null> {
  return otherReader(await ticketFacts(ctx, ticket));
}

/** Whether somebody else reads the ticket as it is now. Throws HelpdeskError. */
export async function isReadByOther(ctx: Work, ticket: string): Promise<boolean> {
  const { file } = await ctx.helpdesk.tickets.read(ticket, ctx.signal);
  return (await readerOf(ctx, file.ticket)) !== null;
}

async function kindOf({ helpdesk: { people }, signal }: Work, account: string): Promise<TicketFacts['ownerKind']> {
  if (account === guest || account === (await people.serviceUser(signal)).toLowerCase()) return 'other';
  return (await people.isDesk(account, signal)) ? 'desk' : 'website';
}

/** The account of whoever is not signed in: nobody reads by it. */
const guest = 'guest';

/** The insert of the ticket from which others were split; null where no webhook told. */
async function firstInsert({ db }: Context, splitFrom: string): Promise<Insert> {
  let name = splitFrom;
  for (let splits = 0; splits < mostSplits; splits += 1) {
    const insert = await tickets.latestInsertOf(db, name);
    if (insert === null || insert.splitFrom === null) return insert;
    name = insert.splitFrom;
  }
  return null;
}

/**
 * The website account, not the sender's, to which the ticket's contact belongs or that it names. The helpdesk lets in
 * whoever `contact` names, and takes any Contact that has the sender's address (docs/helpdesk.md#contacts).
 */
async function contactAccount(
  { helpdesk, signal }: Work,
  ownerAndName: readonly (string | null)[],
  sender: string | null,
): Promise<string | null> {
  for (const named of ownerAndName) {
    const account = named?.trim().toLowerCase();
    // Accounts are called by their addresses; most contacts by the names of people.
    if (!account?.includes('@') || account === sender) continue;
    if (await helpdesk.people.isWebsiteUser(account, signal)) return account;
  }
  return null;
}

/** The same account, by the contacts that the inserts told of, where another contact stands on the ticket by now. */
async function insertedContactAccount(
  ctx: Work,
  ticket: Ticket,
  inserts: readonly Insert[],
  sender: string | null,
): Promise<string | null> {
  const contacts = new Set(inserts.map((insert) => insert?.contact ?? ticket.contact));
  for (const contact of contacts) {
    if (contact === null || contact === ticket.contact) continue;
    const owner = await ctx.helpdesk.people.contactOwner(contact, ctx.signal);
    const account = await contactAccount(ctx, [owner, contact], sender);
    if (account !== null) return account;
  }
  return null;
}

/** An org id that a ticket names. `looked`: what the CRM has for it; null if no CRM was asked. */
interface Named {
  ticket: Ticket;
  candidate: Candidate;
  looked: Pick<Lookup, 'companies'> | null;
  /** Of the ticket, if they are known. */
  facts?: TicketFacts;
}

/**
 * Judges who vouches for a company on a ticket (docs/decisions.md 7): the one judgement behind profile, pipeline, Sync and
 * linking. Throws HelpdeskError.
 */
export async function judgeMatch(ctx: Work, { ticket, candidate, looked, facts }: Named): Promise<Judgement> {
  const company = looked?.companies[0];
  const ofTicket = facts ?? (await ticketFacts(ctx, ticket));
  const { sender } = ofTicket;
  const ids = { orgId: candidate.orgId, crmCompanyId: company?.fields.bitrix_id ?? null };
  const [synced, latest, standing, earlier, enteredBy] = await Promise.all([
    syncs.latest(ctx.db, ticket),
    decisions.latest(ctx.db, ticket),
    rejections.standing(ctx.db, ticket, sender),
    sender === null ? [] : syncs.ofSender(ctx.db, sender),
    agentWhoEntered(ctx, ticket, ofTicket, candidate.orgId),
  ]);
  const isCompanyRejected = isRejected(ids, standing);
  const isOneCompany = earlier.every((sync) => isSameCompany(ids, sync));
  const contacts = ctx.contactAddressesVouch ? (company?.contacts ?? []) : [];
  const trust = judgeTrust(ofTicket, {
    candidate,
    emails: [...(company?.emails ?? []), ...contacts.flatMap(({ emails }) => emails)],
    syncedBy: synced?.orgId === candidate.orgId && standsOn(synced, ticket) ? synced.agent : null,
    knownTo: isOneCompany ? (earlier[0]?.agent ?? null) : null,
    enteredBy,
    isRejected: isCompanyRejected,
  });
  return { trust, hasOpenClaim: latest !== null && isOpenClaim(latest), isRejected: isCompanyRejected };
}

/** The agent who made the ticket with this org id, for a sender who never claimed it in our records; null if nobody did. */
async function agentWhoEntered(
  { db, helpdesk, signal }: Work,
  { name, creation }: Ticket,
  { sender, owner, isSplit }: TicketFacts,
  orgId: OrgId,
): Promise<string | null> {
  if (sender === null || owner === sender || isSplit) return null;
  const byAgent = async (insert: Insert) =>
    insert?.orgIds.includes(orgId) && (await helpdesk.people.isAgent(insert.owner, signal)) ? insert.owner : null;
  const agent = await byAgent(await tickets.insertOf(db, { name, creation }));
  if (agent === null) return null;
  for (const other of await tickets.carrying(db, sender, orgId)) {
    if (!isSameTicket(other, { name, creation }) && (await byAgent(other.insert)) === null) return null;
  }
  return agent;
}

type Raised = Pick<Ticket, 'origin'>;

/** What agents chose for the ticket's sender, then for others of their domain (docs/decisions.md 10). */
export async function earlierChoices({ db }: Context, { origin }: Raised): Promise<syncs.EarlierChoice[]> {
  const sender = senderOf(origin);
  return sender === null ? [] : syncs.choicesOf(db, sender);
}

/**
 * Under whom to record what an agent says of a ticket's sender. Null for a ticket that the desk raised itself: its
 * address stands for no customer. Throws HelpdeskError.
 */
export async function identifySender(
  { helpdesk: { people }, signal }: Work,
  { origin }: Raised,
): Promise<syncs.Sender | null> {
  const sender = senderOf(origin);
  if (sender === null || sender.address === (await people.serviceUser(signal)).toLowerCase()) return null;
  return (await people.isDesk(sender.address, signal)) ? null : sender;
}

function senderOf(origin: Ticket['origin']): syncs.Sender | null {
  const address = senderAddress(origin);
  return address === null ? null : { address, domain: telltaleDomain(address) };
}

/** Who raised a ticket, in lower case as in our own records; null for nobody, and for a guest, who may be anybody. */
export function senderAddress({ raisedBy }: { raisedBy: string | null }): string | null {
  const address = raisedBy?.trim().toLowerCase() || null;
  return address === 'guest' ? null : address;
}

/** The domain of an address if it says something about whose it is; null where anybody can have one. */
export function telltaleDomain(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return address.includes('@') && domain !== '' && !isPublicMailDomain(domain) ? domain : null;
}

const publicMailDomains: ReadonlySet<string> = new Set(domains);

/** Whether anybody can have an address there, so that two senders with it need not know each other. In lower case. */
export function isPublicMailDomain(domain: string): boolean {
  return publicMailDomains.has(domain);
}

/**
 * The org ids that a ticket and its customer carry, in order. What stands in one of the ticket's former fields because we
 * copied it there is none of its own: it goes by what the current field says by now (docs/decisions.md 5).
 */
export async function carriedOrgIds({ db }: Context, { ticket, customer }: TicketFile): Promise<Candidates> {
  const { orgIdFields } = ticket;
  const current = orgIdFields.find(({ kind }) => kind === 'current');
  if (current === undefined) return orderCandidates(orgIdFields, customer);
  const now = parseOrgId(current.value);
  const differs = orgIdFields.some(({ value }) => (parseOrgId(value) ?? now) !== now);
  const decided = differs ? await decisions.list(db, ticket) : [];
  const isCopy = (value: OrgId | null) =>
    value !== null && (value === now || decided.some((decision) => hasGiven(decision, value)));
  const own = orgIdFields.filter(({ kind, value }) => kind === 'current' || !isCopy(parseOrgId(value)));
  return orderCandidates(own, customer);
}

/** The org ids that a ticket and its customer carry, what agents chose first, without what they have rejected. */
export async function candidatesOf(
  ctx: Context,
  file: TicketFile,
): Promise<Candidates & { rejections: rejections.Rejection[]; rejected: OrgId[] }> {
  const { candidates, unusable } = await carriedOrgIds(ctx, file);
  const [standing, choices] = await Promise.all([
    rejections.standing(ctx.db, file.ticket, senderAddress(file.ticket.origin)),
    candidates.length > 1 ? earlierChoices(ctx, file.ticket) : [],
  ]);
  const isOut = (one: Candidate) => isRejected({ ...one, crmCompanyId: null }, standing);
  const kept = candidates.filter((one) => !isOut(one));
  const rejected = candidates.filter(isOut).map(({ orgId }) => orgId);
  return { candidates: chosenFirst(kept, choices), unusable, rejections: standing, rejected };
}
