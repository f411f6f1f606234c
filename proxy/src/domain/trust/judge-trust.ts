import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { Candidate } from '#domain/intake/org-id-candidates.ts';

/** What the helpdesk's records say about a sender and an org id. */
export interface SenderRecords {
  /** Whether a platform account with this org id is the sender's, according to records that only the desk writes. */
  hasAccount: boolean;
  /** Customers with this org id that list the sender's contact. */
  customers: readonly SenderCustomer[];
}

export interface SenderCustomer {
  name: string;
  /** Who connected the sender to it: the desk, or website users, who may do that as they please. */
  linkedBy: 'desk' | 'sender' | 'website_user';
  /**
   * Whether its org id is beyond doubt: no website user could have written it, or our own records hold it; and it was not
   * given on a claim.
   */
  idIsSure: boolean;
}

/** What trust is judged by. E-mail addresses are compared ignoring case. */
export interface TrustInput {
  origin: { owner: string; raisedBy: string | null; viaCustomerPortal: boolean };
  /**
   * Whether the account that created the ticket belongs to the support team: an agent, the service, or the helpdesk
   * itself for mail. Anyone else could have entered another sender's address. Null if it has not been looked up.
   */
  ownerIsDesk: boolean | null;
  /** Where the matched org id was found. */
  candidate: Candidate;
  /** The company's e-mail addresses in the CRM. */
  companyEmails: readonly string[];
  /** What the helpdesk's records say about the sender and this org id; null if that has not been looked up. */
  sender: SenderRecords | null;
  /**
   * The agent who linked the ticket to this org id's customer by Sync, according to our own record; null if nobody did.
   */
  linkedBy?: string | null;
  /** The agent who created the ticket with this org id, according to our own record; null if nobody did. */
  enteredBy?: string | null;
  /** Whether somebody other than the desk has put another address in the place of the one the ticket was made for. */
  isSenderChanged?: boolean;
  /** Whether an agent has said that this is not the sender's company, later than anything else an agent has said. */
  isRejected?: boolean;
}

/**
 * Judges who vouches for the org id (docs/decisions.md 9). What counts is who raised the ticket, never the field that
 * holds the value: a sender can write to every field. An agent's word counts if the service saw it given: by a Sync, or
 * by a ticket that the agent created and that was unchanged when the service first saw it. Where an agent has rejected
 * the company since, nothing else counts (docs/decisions.md 28).
 */
export function judgeTrust(input: TrustInput): LookupTrust {
  const { origin, candidate, companyEmails, linkedBy, enteredBy } = input;
  const where: TrustEvidence = {
    code: (
      { ticket: 'value_on_ticket', customer: 'value_on_customer', customer_name: 'value_in_customer_name' } as const
    )[candidate.source],
    field: candidate.field,
    value: candidate.orgId,
  };
  if (input.isRejected) return { level: 'claimed', evidence: [where] };
  if (linkedBy) return { level: 'confirmed', evidence: [{ code: 'linked_by_agent', value: linkedBy }, where] };
  if (enteredBy) return { level: 'confirmed', evidence: [{ code: 'entered_by_agent', value: enteredBy }, where] };
  const sender = origin.raisedBy?.trim().toLowerCase() ?? '';
  if (!sender) return { level: 'claimed', evidence: [where] };

  if (input.isSenderChanged) return { level: 'claimed', evidence: [where, { code: 'sender_changed', value: sender }] };
  const isOwn = origin.owner.trim().toLowerCase() === sender;
  if (!isOwn && !input.ownerIsDesk) return { level: 'claimed', evidence: [where] };
  const signedIn = origin.viaCustomerPortal && isOwn;
  const level = signedIn ? 'confirmed' : 'likely';
  if (companyEmails.some((email) => email.toLowerCase() === sender)) {
    const code = signedIn ? 'signed_in_email_of_company' : 'sender_email_of_company';
    return { level, evidence: [{ code, value: sender }, where] };
  }
  if (input.sender?.hasAccount) {
    const code = signedIn ? 'signed_in_account_of_company' : 'sender_account_of_company';
    return { level, evidence: [{ code, value: sender }, where] };
  }
  const customers = input.sender?.customers ?? [];
  const tie = customers.find(({ linkedBy: by, idIsSure }) => by === 'desk' && idIsSure);
  if (tie) {
    const code = signedIn ? 'signed_in_contact_of_customer' : 'sender_contact_of_customer';
    return { level, evidence: [{ code, value: tie.name }, where] };
  }
  return { level: 'claimed', evidence: [where, ...whyNot(input.sender, sender)] };
}

/** Why the helpdesk's records do not vouch for the sender; nothing if they have not been looked up. */
function whyNot(records: SenderRecords | null, sender: string): TrustEvidence[] {
  if (records === null) return [];
  const [first] = records.customers;
  if (!first) return [{ code: 'sender_not_of_customer', value: sender }];
  const byDesk = records.customers.find(({ linkedBy }) => linkedBy === 'desk');
  if (byDesk) return [{ code: 'customer_id_not_protected', value: byDesk.name }];
  const own = records.customers.find(({ linkedBy }) => linkedBy === 'sender');
  if (own) return [{ code: 'link_made_by_sender', value: own.name }];
  return [{ code: 'link_made_by_website_user', value: first.name }];
}

/**
 * Whether the account that created a ticket belongs to the support team, as far as can be told without a lookup: the
 * helpdesk itself does, and the sender's own account does not count. Null: the helpdesk's agents have to be looked up.
 */
export function isDeskOwner(
  { owner, raisedBy }: Pick<TrustInput['origin'], 'owner' | 'raisedBy'>,
  isSystem: boolean,
): boolean | null {
  if (isSystem) return true;
  return owner.trim().toLowerCase() === raisedBy?.trim().toLowerCase() ? false : null;
}
