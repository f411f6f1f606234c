import type { OrgId } from '@deskside/shared/orgid';
import type { AccountLink, HelpdeskContact, HelpdeskCustomer } from '@deskside/shared/profile';

/** A caller's own credential, passed on as it came: the value of an Authorization header. Never logged. */
export interface Credential {
  readonly authorization: string;
}

/** Who a credential belongs to, in the helpdesk's own judgement. */
export interface HelpdeskUser {
  id: string;
  fullName: string | null;
  /** Has an agent's role or record. Administrator and Guest are none (design.md section 2). */
  isAgent: boolean;
}

/** How a ticket came to be, as far as the helpdesk itself vouches for it. */
export interface TicketOrigin {
  /** The user whose session created it; set by the helpdesk, not writable. */
  owner: string;
  /** Sender's address; anybody can write to the helpdesk under any address. */
  raisedBy: string | null;
  /** Created in the customer portal. With `owner` equal to `raisedBy`: by a signed-in person about himself. */
  viaCustomerPortal: boolean;
}

export interface Ticket {
  /** As the helpdesk spells it, always a string. */
  name: string;
  subject: string | null;
  customer: string | null;
  contact: string | null;
  agentGroup: string | null;
  origin: TicketOrigin;
  /** Org id fields in the order of decision 5, with the values as they stand; fields the site lacks are left out. */
  orgIdFields: { field: string; value: unknown }[];
  /** E-mail of the account owner as it stands on the ticket; undefined where the site has no such field. */
  responsible: string | null | undefined;
}

/** A ticket with the customer and contact that it links to. */
export interface TicketFile {
  ticket: Ticket;
  customer: HelpdeskCustomer | null;
  contact: HelpdeskContact | null;
}

/** A customer with the contact that was asked for. */
export interface CustomerFile {
  customer: HelpdeskCustomer;
  contact: HelpdeskContact | null;
}

/** What the service account sees of the tie between a sender and the customers of an org id. */
export interface SenderTies {
  /** Customers that carry the org id and list or link the sender's contact. */
  customers: { name: string; linkMadeBySender: boolean }[];
}

export type HelpdeskErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'rejected'
  | 'conflict'
  | 'unavailable'
  | 'timeout'
  | 'bad_answer';

/** Every way a helpdesk call can fail. The message is ours: an upstream body never gets into it. */
export class HelpdeskError extends Error {
  override readonly name = 'HelpdeskError';
  readonly kind: HelpdeskErrorKind;
  constructor(kind: HelpdeskErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The helpdesk in its own words: tickets, customers, contacts. Every method may throw HelpdeskError. */
export interface Helpdesk {
  /** One request as the caller. Throws `unauthenticated` for a credential that is nobody's (Guest included). */
  identify(caller: Credential, signal: AbortSignal): Promise<HelpdeskUser>;

  /**
   * Reads a ticket with customer and contact in one request as the caller. Throws `not_found` for a name that no
   * ticket has, also where the helpdesk's database would coerce it to another (design.md, decision 13), and
   * `forbidden` where the caller may not read it; telling these two apart costs a second request.
   */
  readTicket(caller: Credential, name: string, signal: AbortSignal): Promise<TicketFile>;

  /**
   * Reads a customer, and then the contact if one is named, as the caller. Throws `not_found` for a name that nothing
   * has, and `forbidden` where the caller may not read it; without the customer the contact is not asked for.
   */
  readCustomerFile(
    caller: Credential,
    names: { customer: string; contact: string | null },
    signal: AbortSignal,
  ): Promise<CustomerFile>;

  /** Reads, as the service account, how the sender is tied to customers with this org id. */
  readSenderTies(sender: string, orgId: OrgId, signal: AbortSignal): Promise<SenderTies>;

  /** Whether the site keeps platform accounts at all, as far as is known; false spares the reading. */
  readonly hasAccountLinks: boolean;

  /** Platform accounts linked to a customer, at most 20; empty where the site has no such records (decision 8). */
  readAccountLinks(customer: string, signal: AbortSignal): Promise<AccountLink[]>;

  /** Writes the account owner's e-mail to the ticket. Repeatable; does nothing where the site has no such field. */
  writeResponsible(ticket: string, email: string, signal: AbortSignal): Promise<void>;

  /** Reads which fields the site has, so that later calls need not. Throws if the service account is refused. */
  warm(signal: AbortSignal): Promise<void>;

  /** Throws if the helpdesk does not answer the service account now. */
  ping(signal: AbortSignal): Promise<void>;

  /** Fields of the specification that the site lacks, as `DocType.fieldname`; null until `warm` has succeeded. */
  missingFields(): string[] | null;
}
