import { isAccountOf, senderIn } from '@deskside/shared/mail-address';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision } from '@deskside/shared/routing';
import domains from 'free-email-domains/domains.json' with { type: 'json' };
import type { Context, Work } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { everyone } from '#helpdesk/permissions.ts';
import type { Ticket, TicketFile, TicketKey } from '#helpdesk/ticket-file.ts';
import { type Candidate, type Candidates, orderCandidates } from '#intake/org-id.ts';
import * as decisions from '#store/decisions.ts';
import * as deskList from '#store/desk-list.ts';
import * as rejections from '#store/rejections.ts';
import { isSameTicket } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { type CompanyIds, hasGiven, isAbout, isRejected, isSameCompany, standsOn } from './companies.ts';
import { isSignedIn, judgeTrust, type TicketFacts } from './judge.ts';

/** What a webhook told of a ticket; null: none did. */
type KnownInsert = tickets.Insert | null;

/** How many splits are followed back to the ticket that somebody made. */
const mostSplits = 5;

/**
 * Gathers what is known of a ticket and its sender. Throws HelpdeskError.
 *
 * @param insert what a webhook told of it
 * @param asksShares whether to ask in any case whom it is shared with, which is a request of its own (docs/security.md#trust)
 */
export async function ticketFacts(
  ctx: Work,
  ticket: Ticket,
  { insert, asksShares }: { insert: KnownInsert; asksShares: boolean },
): Promise<TicketFacts> {
  const sender = senderAddress(ticket.origin);
  const nameOf = (account: string) => accountOrSender(account, sender);
  const { owner, isSplit, splitFrom } = madeBy(ticket, insert);
  const isOfFirst = splitFrom !== null && (insert === null || senderAddress(insert) === sender);
  const kindFor = (account: string) => (account === sender ? ('other' as const) : kindOf(ctx, account));
  const [ownerKind, first, contactOfOther, sharedWith] = await Promise.all([
    kindFor(owner),
    isOfFirst ? firstInsert(ctx, splitFrom) : insert,
    contactAccount(ctx, [ticket.contactOwner, ticket.contact], sender),
    shareHolder(ctx, ticket, sender, asksShares),
  ]);
  const maker = isOfFirst && first !== null ? nameOf(first.owner) : owner;
  return {
    sender,
    owner,
    ownerKind,
    maker,
    makerKind: maker === owner ? ownerKind : await kindFor(maker),
    isSplit,
    isInsertKnown: insert !== null,
    contactOfOther,
    sharedWith,
    insertedFor: first === null ? undefined : senderAddress(first),
    contactAtInsertOfOther: await insertedContactAccount(ctx, ticket, [insert, first], sender),
  };
}

/** Asked of a ticket that is older than the rule that only the desk shares: who held a share then holds it still. */
async function shareHolder(ctx: Work, ticket: Ticket, sender: string | null, asks: boolean): Promise<string | null> {
  if (!asks && !(await ctx.helpdesk.rights.mayBeShared(ticket, ctx.signal))) return null;
  return sharedWithOther(ctx, 'HD Ticket', ticket.name, sender);
}

/** By whom a ticket was made, and whether it was split from another. */
function madeBy(ticket: Ticket, insert: KnownInsert) {
  // Its sender may have written the field since.
  const splitFrom = insert === null ? ticket.splitFrom : insert.splitFrom;
  const owner = accountOrSender(ticket.origin.owner, senderAddress(ticket.origin));
  return { owner, isSplit: splitFrom !== null, splitFrom };
}

function accountOrSender(account: string, sender: string | null): string {
  const name = account.toLowerCase();
  return sender !== null && isAccountOf(sender, name) ? sender : name;
}

/** The website account, not the sender's, that a document is shared with; `everyone` for whoever is signed in. Null: none. */
export async function sharedWithOther(
  { helpdesk: { people, rights }, signal }: Work,
  doctype: 'HD Ticket' | 'HD Customer',
  name: string,
  sender: string | null,
): Promise<string | null> {
  for (const account of await rights.sharedWith(doctype, name, signal)) {
    if (account === everyone) return account;
    if (sender !== null && isAccountOf(sender, account)) continue;
    if (await people.isWebsiteUser(account, signal)) return account;
  }
  return null;
}

/**
 * Whether a ticket alone may make its customer, made by hand, its company (decision 12: made by hand): nobody outside the
 * desk but the sender reads that customer or this ticket, and none of them may write the customer. Throws HelpdeskError.
 */
export async function mayBecomeByTicket(ctx: Work, { name, origin }: Ticket, customer: string): Promise<boolean> {
  const sender = senderAddress(origin);
  const [outsiders, shared] = await Promise.all([
    outsidersOf(ctx, customer, sender),
    sharedWithOther(ctx, 'HD Ticket', name, sender),
  ]);
  return outsiders.length === 0 && shared === null;
}

/**
 * Who outside the desk reads a customer, or may write it, besides the sender: the accounts of its members, whom it is shared
 * with, and the sender, too, where one of these may write it.
 */
export async function outsidersOf(ctx: Work, customer: string, sender: string | null): Promise<string[]> {
  const { rights } = ctx.helpdesk;
  const [members, shared, isDeskOnly] = await Promise.all([
    rights.websiteMembers(customer, ctx.signal),
    sharedWithOther(ctx, 'HD Customer', customer, sender),
    rights.isDeskOnly(customer, ctx.signal),
  ]);
  const others = members.filter((account) => sender === null || !isAccountOf(sender, account));
  const named = [...(isDeskOnly ? others : members), ...(shared === null ? [] : [shared])];
  // By a role that everybody has, or an owner of outside: nobody in particular.
  return isDeskOnly || named.length > 0 ? [...new Set(named)] : [everyone];
}

async function kindOf({ helpdesk: { people }, signal }: Work, account: string): Promise<TicketFacts['ownerKind']> {
  if (account === guest) return 'guest';
  if (account === (await people.serviceUser(signal)).toLowerCase()) return 'other';
  return (await people.isDesk(account, signal)) ? 'desk' : 'website';
}

/** The account of whoever is not signed in: every visitor reads what is its own (docs/helpdesk.md#senders). */
const guest = 'guest';

/** The insert of the ticket from which others were split; null where no webhook told. */
async function firstInsert({ db }: Context, splitFrom: string): Promise<KnownInsert> {
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
    if (!account?.includes('@') || (sender !== null && isAccountOf(sender, account))) continue;
    if (await helpdesk.people.isWebsiteUser(account, signal)) return account;
  }
  return null;
}

/** The same account, by the contacts that the inserts told of, where another contact stands on the ticket by now. */
async function insertedContactAccount(
  ctx: Work,
  ticket: Ticket,
  inserts: readonly KnownInsert[],
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

/** What our own records say of a ticket and its sender, whatever company it names. */
export interface TicketRecords {
  insert: KnownInsert;
  /** The Sync of the ticket that stands. */
  synced: syncs.SyncEntry | null;
  latest: RoutingDecision | null;
  /** Of companies, for the ticket or its sender. */
  rejections: rejections.Rejection[];
  /** The Syncs for the sender that stand and count here. */
  earlier: syncs.SyncEntry[];
  /** Where the sender is on the desk's list, as far as that counts. */
  listed: deskList.ListedPerson[];
}

/** What our records say, as far as it counts for this ticket (decision 7: who vouches). */
export async function recordsOf({ db, clock, sharedAddresses }: Context, ticket: Ticket): Promise<TicketRecords> {
  const sender = senderAddress(ticket.origin);
  const [insert, latest, standing, { synced, said, accepted }] = await Promise.all([
    tickets.insertOf(db, ticket),
    decisions.latest(db, ticket),
    rejections.standing(db, ticket, sender),
    deskList.standingWords(db, ticket, sender),
  ]);
  const signedIn = isSignedIn({ ...madeBy(ticket, insert), sender });
  // A crash may have come between the link and its note.
  if (synced !== null && synced.linkedAt === null && standsOn(synced, ticket))
    await noteLink(db, ticket, { ...synced, signedIn }, clock());
  const isShared = sender !== null && (isNoReply(sender) || sharedAddresses.includes(sender));
  const ofSender = countingFor({ signedIn, isShared }, { earlier: said, listed: accepted, rejections: standing });
  // On this very ticket the last word counts, whatever counts for others.
  const isAnswered = (rejection: rejections.Rejection) =>
    synced !== null && synced.at > rejection.at && isSameCompany(synced, rejection) && standsOn(synced, ticket);
  const isOwn = (rejection: rejections.Rejection) => isSameTicket(rejection.ticket, ticket);
  return {
    ...ofSender,
    insert,
    synced,
    latest,
    rejections: standing.filter((one) => (isOwn(one) || ofSender.rejections.includes(one)) && !isAnswered(one)),
  };
}

/** The link of a Sync is on its ticket: from now on it vouches, and answers who rejected the company before. */
export async function noteLink(
  db: Context['db'],
  ticket: Pick<Ticket, 'name' | 'creation' | 'origin'>,
  sync: CompanyIds & { id: string; signedIn: boolean },
  at: number,
): Promise<void> {
  await syncs.noteLinked(db, sync.id, at);
  await rejections.lift(db, ticket, senderAddress(ticket.origin), sync, sync.id, at);
}

/** The link of a Sync is undone, or never came onto its ticket: it vouches for nobody, and what it had answered stands again. */
export async function noteLinkTakenBack(db: Context['db'], sync: string, at: number): Promise<void> {
  await syncs.markUndone(db, sync, at);
  await rejections.restore(db, sync);
}

/**
 * What was said of a sender, by agents and by the desk's list, as far as it counts for a ticket of theirs (decision 7: who
 * vouches). The list names no ticket, so it counts for all of them.
 */
function countingFor(
  { signedIn, isShared }: { signedIn: boolean; isShared: boolean },
  { earlier: said, listed, rejections: rejected }: Pick<TicketRecords, 'earlier' | 'listed' | 'rejections'>,
): Pick<TicketRecords, 'earlier' | 'listed' | 'rejections'> {
  // Whoever writes a mail in somebody's name is not to speak for their sessions.
  const counts = (word: { signedIn: boolean }) => word.signedIn || !signedIn;
  const earlier = said.filter(counts);
  const [first, ...others] = [...earlier, ...listed];
  const isOfSeveral = first !== undefined && !others.every((other) => isSameCompany(first, other));
  if (isOfSeveral || isShared) return { earlier: [], listed: [], rejections: [] };
  return { earlier, listed, rejections: rejected.filter(counts) };
}

/** The ids of the company that an org id leads to. */
export function idsOf({ orgId }: Pick<Candidate, 'orgId'>, lookup: Pick<Lookup, 'companies'> | null): CompanyIds {
  return { orgId, crmCompanyId: lookup?.companies[0]?.fields.bitrix_id ?? null };
}

/**
 * Judges who vouches for a company on a ticket (decision 7: who vouches). Throws HelpdeskError.
 *
 * @param lookup what the CRM has for the org id; null if no CRM was asked
 */
export async function judgeCompany(
  ctx: Work,
  ticket: Ticket,
  { facts, records }: { facts: TicketFacts; records: TicketRecords },
  { candidate, lookup }: { candidate: Candidate; lookup: Pick<Lookup, 'companies' | 'isDisputed'> | null },
): Promise<LookupTrust> {
  const { synced, earlier, listed, insert } = records;
  const company = lookup?.isDisputed ? undefined : lookup?.companies[0];
  const ids = idsOf(candidate, lookup);
  const onList = listed.find((one) => isSameCompany(ids, one));
  const isSynced = synced?.orgId === candidate.orgId && standsOn(synced, ticket) && isAbout(synced, facts.sender);
  const contacts = ctx.contactAddressesVouch ? (company?.contacts ?? []) : [];
  return judgeTrust(facts, {
    candidate,
    emails: [...(company?.emails ?? []), ...contacts.flatMap(({ emails }) => emails)],
    syncedBy: isSynced ? synced.agent : null,
    // For its own ticket a Sync counts as long as it stands there, or nothing would be left to undo.
    knownTo: earlier.find((sync) => !isSameTicket(sync.ticket, ticket) && isSameCompany(ids, sync))?.agent ?? null,
    listedAt: onList === undefined ? null : new Date(onList.at).toISOString(),
    enteredBy: await agentWhoEntered(ctx, ticket, facts, insert, candidate.orgId),
    isRejected: isRejected(ids, records.rejections),
  });
}

/** The agent who made the ticket with this org id, for a sender who never claimed it in our records; null if nobody did. */
async function agentWhoEntered(
  { db, helpdesk, signal }: Work,
  ticket: TicketKey,
  { sender, owner }: TicketFacts,
  insert: KnownInsert,
  orgId: OrgId,
): Promise<string | null> {
  if (sender === null || owner === sender) return null;
  const byAgent = async (told: KnownInsert) =>
    told?.orgIds.includes(orgId) && (await helpdesk.people.isAgent(told.owner, signal)) ? told.owner : null;
  const agent = await byAgent(insert);
  if (agent === null) return null;
  for (const other of await tickets.carrying(db, sender, orgId)) {
    if (!isSameTicket(other, ticket) && (await byAgent(other.insert)) === null) return null;
  }
  return agent;
}

type RaisedTicket = Pick<Ticket, 'origin'>;

/** What agents chose for the ticket's sender, then for others of their domain (decision 10: who leads). */
export async function earlierChoices({ db }: Context, { origin }: RaisedTicket): Promise<syncs.EarlierChoice[]> {
  const sender = senderOf(origin);
  return sender === null ? [] : syncs.choicesOf(db, sender);
}

/**
 * Under whom to record what an agent says of a ticket's sender. Null for a ticket that the desk raised itself: its
 * address stands for no customer. Throws HelpdeskError.
 */
export async function identifySender(
  { helpdesk: { people }, signal }: Work,
  { origin }: RaisedTicket,
): Promise<syncs.Sender | null> {
  const sender = senderOf(origin);
  if (sender === null || sender.address === (await people.serviceUser(signal)).toLowerCase()) return null;
  return (await people.isDesk(sender.address, signal)) ? null : sender;
}

function senderOf(origin: Ticket['origin']): syncs.Sender | null {
  const address = senderAddress(origin);
  return address === null ? null : { address, domain: telltaleDomain(address) };
}

/** Who raised a ticket, as in our own records; null for nobody, and for a guest, who may be anybody. */
export function senderAddress({ raisedBy }: { raisedBy: string | null }): string | null {
  const address = senderIn(raisedBy);
  return address === 'guest' ? null : address;
}

/** The domain of an address if it says something about whose it is; null where anybody can have one. */
export function telltaleDomain(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return address.includes('@') && domain !== '' && !isPublicMailDomain(domain) ? domain : null;
}

/** Names of mailboxes that machines send from, and that nobody reads (decision 7: who vouches); with a tag, too. */
const machines = /^(?:no-?reply|mailer-daemon)(?:[+._-].*)?$/;

/**
 * Whether an address, in lower case, is one from which a machine writes for many: a form's or a mail server's. What is said of
 * it on one ticket counts for no other.
 */
export function isNoReply(address: string): boolean {
  return machines.test(address.slice(0, address.indexOf('@')));
}

const publicMailDomains: ReadonlySet<string> = new Set(domains);

/** Whether anybody can have an address there, so that two senders with it need not know each other. In lower case. */
export function isPublicMailDomain(domain: string): boolean {
  return publicMailDomains.has(domain);
}

/**
 * The org ids that a ticket and its customer carry, in order. What stands in one of the ticket's former fields because we
 * copied it there is none of its own: it goes by what the current field says by now (decision 5: order of org ids).
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
  const originals = orgIdFields.filter(({ kind, value }) => kind === 'current' || !isCopy(parseOrgId(value)));
  return orderCandidates(originals, customer);
}
