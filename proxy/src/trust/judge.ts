import { addressesIn } from '@deskside/shared/mail-address';
import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { Candidate } from '#intake/org-id.ts';

/** What is known of a ticket and its sender, whatever company it names. Addresses and accounts in lower case. */
export interface TicketFacts {
  /** Who raised it, as it stands now; null for nobody. */
  sender: string | null;
  /** The account that created it, which the helpdesk sets and nobody can write. */
  owner: string;
  ownerKind: AccountKind;
  /** The account that made it in the first place: of a split ticket, that of the one that it was split from. */
  maker: string;
  makerKind: AccountKind;
  isSplit: boolean;
  /** Whether the signed webhook has told of its insert. */
  isInsertKnown: boolean;
  /**
   * Who raised it by its insert; of a split ticket that has its sender still, by the insert of the one that it was split
   * from. Undefined: no webhook told.
   */
  insertedFor: string | null | undefined;
  /** The website account, not the sender's, to which the ticket's contact belongs, or that it names; null: none. */
  contactOfOther: string | null;
  /**
   * The same of the contact that the insert told of, if another stands there since: whoever reads a ticket may write it, and
   * may still read it by its customer.
   */
  contactAtInsertOfOther: string | null;
  /** The website account, not the sender's, that the ticket is shared with; null: none. */
  sharedWith: string | null;
}

/**
 * Of an account that is not the sender's: of the desk, or the helpdesk's own; a website user; whoever is not signed in; the
 * sender's, or ours.
 */
type AccountKind = 'desk' | 'website' | 'guest' | 'other';

/** What is known of a company that the ticket names. */
export interface CompanyFacts {
  /** Where its org id stands. */
  candidate: Candidate;
  /** The company's own e-mail addresses in the CRM. */
  emails: readonly string[];
  /** The agent whose Sync of this ticket with this company stands; null: none does. */
  syncedBy: string | null;
  /** The agent whose Sync of an earlier ticket said so of this sender, as far as it counts here; null: none. */
  knownTo: string | null;
  /** When an operator accepted the sender as one of its people (ISO 8601); null: never, or for two companies. */
  listedAt: string | null;
  /** The agent who made the ticket with this org id, which the sender never claimed; null: none did. */
  enteredBy: string | null;
  /** Whether an agent has said that this is not the sender's company, and none has synced it since. */
  isRejected: boolean;
}

/**
 * Judges who vouches for a company on a ticket (decision 7: who vouches). A sender can write every field of a ticket, so the
 * field that holds the org id proves nothing. The first of these that holds decides:
 * a rejection; somebody else who reads the ticket; an agent's Sync of the ticket; a doubt about the sender;
 * the company's own address; an earlier Sync for the sender; the desk's list; an agent's entry.
 */
export function judgeTrust(ticket: TicketFacts, company: CompanyFacts): LookupTrust {
  const where = placeOf(company.candidate);
  const claimed = (...why: TrustEvidence[]): LookupTrust => ({ level: 'claimed', evidence: [where, ...why] });
  if (company.isRejected) return claimed();
  const reader = readingBy(ticket);
  if (reader !== null) return claimed(reader);
  if (company.syncedBy !== null)
    return { level: 'confirmed', evidence: [{ code: 'linked_by_agent', value: company.syncedBy }, where] };
  const { sender } = ticket;
  const doubt = doubtAbout(ticket);
  if (doubt !== null) return claimed(doubt);
  if (sender === null) return claimed();

  const signedIn = isSignedIn(ticket);
  const level = signedIn ? 'confirmed' : 'likely';
  if (company.emails.some((email) => addressesIn(email).includes(sender))) {
    const code = signedIn ? 'signed_in_email_of_company' : 'sender_email_of_company';
    return { level, evidence: [{ code, value: sender }, where] };
  }
  // What rests on our own records of the sender takes a webhook that told who the ticket was made for.
  if (ticket.isInsertKnown && company.knownTo !== null) {
    const code = signedIn ? 'signed_in_known_to_agent' : 'sender_known_to_agent';
    return { level, evidence: [{ code, value: company.knownTo }, where] };
  }
  if (ticket.isInsertKnown && company.listedAt !== null) {
    const code = signedIn ? 'signed_in_on_desk_list' : 'sender_on_desk_list';
    return { level, evidence: [{ code, value: company.listedAt }, where] };
  }
  if (ticket.isInsertKnown && !ticket.isSplit && company.enteredBy !== null)
    return { level: 'likely', evidence: [{ code: 'entered_by_agent', value: company.enteredBy }, where] };
  return claimed({ code: 'sender_not_of_company', value: sender });
}

/** Whether the sender's own session made the ticket, which nobody else can bring about. */
export function isSignedIn({ owner, sender, isSplit }: Pick<TicketFacts, 'owner' | 'sender' | 'isSplit'>): boolean {
  return owner === sender && !isSplit;
}

/** Why nothing that the sender brings along counts; null if the sender is who the ticket was made for. */
function doubtAbout(ticket: TicketFacts): TrustEvidence | null {
  const { sender, maker, makerKind, isSplit, insertedFor, contactAtInsertOfOther } = ticket;
  if (contactAtInsertOfOther !== null) return { code: 'contact_of_other', value: contactAtInsertOfOther };
  if (isSplit && insertedFor === undefined) return { code: 'split_unknown' };
  if (insertedFor !== undefined && insertedFor !== sender) return { code: 'sender_changed', value: sender ?? '' };
  if (maker === sender || makerKind === 'desk') return null;
  return { code: 'maker_unknown', value: maker };
}

/**
 * Whether our record of the sender may be made on this ticket: nothing speaks against the sender, and a webhook told who
 * the ticket was made for.
 */
export function isSenderSure(ticket: TicketFacts): boolean {
  return ticket.isInsertKnown && isOwnTicket(ticket);
}

/**
 * Whether a rejection counts for the sender's other tickets as well: also without a webhook where the sender made the
 * ticket, for nobody can change that. Any other address may have been put there before the sweep found the ticket.
 */
export function isRejectedSender(ticket: TicketFacts): boolean {
  return isOwnTicket(ticket) && (ticket.isInsertKnown || isSignedIn(ticket));
}

function isOwnTicket(ticket: TicketFacts): boolean {
  return readingBy(ticket) === null && ticket.sender !== null && doubtAbout(ticket) === null;
}

/**
 * The website account, not the sender's, that reads the ticket: by its contact, as its owner, or by a share; `Guest` for every
 * visitor, `everyone` for whoever is signed in. Null: none does.
 */
export function otherReader(ticket: TicketFacts): string | null {
  return readingBy(ticket)?.value ?? null;
}

function readingBy({ contactOfOther, owner, ownerKind, sender, sharedWith }: TicketFacts): TrustEvidence | null {
  if (contactOfOther !== null) return { code: 'contact_of_other', value: contactOfOther };
  if (ownerKind === 'guest') return { code: 'guest_ticket', value: 'Guest' };
  if (ownerKind === 'website' && owner !== sender) return { code: 'made_by_other', value: owner };
  return sharedWith === null ? null : { code: 'shared_with_other', value: sharedWith };
}

/** The company's own address vouches: of all that may, the only thing by which a customer made by hand becomes it. */
export function isOwnAddress(trust: LookupTrust): boolean {
  return trust.evidence.some(isOfOwnAddress);
}

/**
 * Whether what vouched for a company before does not vouch for whoever is the sender by now: something speaks against them, or it
 * was another one's address, of which no webhook has to have told, or an agent's Sync that no longer stands.
 */
export function isDoubtedSince(before: LookupTrust | null, ticket: TicketFacts): boolean {
  const isGone = (one: TrustEvidence) =>
    one.code === 'linked_by_agent' || (isOfOwnAddress(one) && one.value !== ticket.sender);
  return doubtAbout(ticket) !== null || before?.evidence.some(isGone) === true;
}

function isOfOwnAddress({ code }: TrustEvidence): boolean {
  return code === 'signed_in_email_of_company' || code === 'sender_email_of_company';
}

function placeOf({ source, field, orgId }: Candidate): TrustEvidence {
  const codes = {
    ticket: 'value_on_ticket',
    customer: 'value_on_customer',
    customer_name: 'value_in_customer_name',
  } as const;
  return { code: codes[source], field, value: orgId };
}
