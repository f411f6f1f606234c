import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';

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
  /** Customers with this org id that list the sender's contact; null if they have not been looked up. */
  ties: readonly { name: string; linkMadeBySender: boolean }[] | null;
  /**
   * The agent who linked the ticket to this org id's customer by Sync, according to our own record; null if nobody did.
   */
  linkedBy?: string | null;
  /** The agent who created the ticket with this org id, according to our own record; null if nobody did. */
  enteredBy?: string | null;
}

/**
 * Judges who vouches for the org id (docs/decisions.md 9). What counts is who raised the ticket, never the field that
 * holds the value: a sender can write to every field. An agent's word counts if the service saw it given: by a Sync, or
 * by a ticket that the agent created and that was unchanged when the service first saw it.
 */
export function judgeTrust(input: TrustInput): LookupTrust {
  const { origin, candidate, companyEmails, ties, linkedBy, enteredBy } = input;
  const where: TrustEvidence = {
    code: (
      { ticket: 'value_on_ticket', customer: 'value_on_customer', customer_name: 'value_in_customer_name' } as const
    )[candidate.source],
    field: candidate.field,
    value: candidate.orgId,
  };
  if (linkedBy) return { level: 'confirmed', evidence: [{ code: 'linked_by_agent', value: linkedBy }, where] };
  if (enteredBy) return { level: 'confirmed', evidence: [{ code: 'entered_by_agent', value: enteredBy }, where] };
  const sender = origin.raisedBy?.trim().toLowerCase() ?? '';
  if (!sender) return { level: 'claimed', evidence: [where] };

  const isOwn = origin.owner.trim().toLowerCase() === sender;
  if (!isOwn && !input.ownerIsDesk) return { level: 'claimed', evidence: [where] };
  const signedIn = origin.viaCustomerPortal && isOwn;
  const level = signedIn ? 'confirmed' : 'likely';
  if (companyEmails.some((email) => email.toLowerCase() === sender)) {
    const code = signedIn ? 'signed_in_email_of_company' : 'sender_email_of_company';
    return { level, evidence: [{ code, value: sender }, where] };
  }
  const tie = ties?.find((t) => !t.linkMadeBySender);
  if (tie) {
    const code = signedIn ? 'signed_in_contact_of_customer' : 'sender_contact_of_customer';
    return { level, evidence: [{ code, value: tie.name }, where] };
  }
  const evidence: TrustEvidence[] = [where];
  const selfMade = ties?.find((t) => t.linkMadeBySender);
  if (selfMade) evidence.push({ code: 'link_made_by_sender', value: selfMade.name });
  else if (ties) evidence.push({ code: 'sender_not_of_customer', value: sender });
  return { level: 'claimed', evidence };
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
