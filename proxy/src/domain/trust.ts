import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { Candidate } from './candidates.ts';

/** What the judgement rests on. E-mail addresses are compared without regard to case. */
export interface TrustInput {
  origin: { owner: string; raisedBy: string | null; viaCustomerPortal: boolean };
  /**
   * Whether the account that created the ticket is the desk's own: an agent, the service, or the helpdesk itself for
   * mail. Anybody else can have typed another sender's address. Null while nobody has looked.
   */
  ownerIsDesk: boolean | null;
  /** Where the org id that matched stands. */
  candidate: Candidate;
  /** Addresses that the CRM has for the company. */
  companyEmails: readonly string[];
  /** Customers with this org id that list the sender's contact; null while nobody has looked. */
  ties: readonly { name: string; linkMadeBySender: boolean }[] | null;
  /** The agent who linked the ticket to this org id's customer by Sync, as our own record says; null: nobody. */
  linkedBy?: string | null;
  /** The agent who created the ticket with this org id, as our own record of it says; null: nobody. */
  enteredBy?: string | null;
}

/**
 * Judges whose word the org id rests on (design.md, decision 9). What counts is who raised the ticket, never the field
 * where the value stands: a sender can write to every field. An agent's word counts where the service has seen it being
 * given: a Sync, or a ticket that he created and that nobody had changed when the service first saw it.
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
