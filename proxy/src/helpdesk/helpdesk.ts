import type { OrgId } from '@deskside/shared/orgid';
import type { AccountLink, HelpdeskContact, HelpdeskCustomer, TicketRef } from '@deskside/shared/profile';
import type { CustomerHit } from '#customers/found-company.ts';
import type { Reading } from '#intake/read-query.ts';

/** A caller's own credential, passed on as received: the value of an Authorization header. Never logged. */
export interface Credential {
  readonly authorization: string;
}

/** Who a credential belongs to, according to the helpdesk. */
export interface HelpdeskUser {
  id: string;
  fullName: string | null;
  /** The language they use the helpdesk in, theirs or else the site's, as a code such as `vi`. Null: none is set. */
  language: string | null;
  /** Has an agent's role or record. The helpdesk's own accounts do not count (docs/helpdesk.md#credentials). */
  isAgent: boolean;
}

/** How a ticket came to be, as far as the helpdesk itself vouches for it. */
interface TicketOrigin {
  /** The user whose session created it; set by the helpdesk, not writable. */
  owner: string;
  /** The sender's address; anyone can write to the helpdesk under any address. */
  raisedBy: string | null;
}

/** A field that may hold an org id: its raw value, and the name by which responses and records refer to it. */
interface OrgIdField {
  field: string;
  value: unknown;
}

export interface Ticket {
  /** As the helpdesk spells it, always a string. */
  name: string;
  /** The helpdesk's own timestamp, which tells tickets apart that had the same name. */
  creation: string;
  /** The ticket that it says it was split from; the sender can write it. */
  splitFrom: string | null;
  subject: string | null;
  customer: string | null;
  /** The org id on that customer's record. */
  customerOrgId: OrgId | null;
  contact: string | null;
  /** The account that made the contact's record. */
  contactOwner: string | null;
  agentGroup: string | null;
  origin: TicketOrigin;
  /**
   * Org id fields in the order of docs/decisions.md 5; fields the site lacks are left out. `current`: the one that
   * people and intake use today. `profile` and `older`: former ones.
   */
  orgIdFields: (OrgIdField & { kind: 'current' | 'profile' | 'older' })[];
  /** The account owner's e-mail on the ticket; undefined if the site has no such field. */
  responsible: string | null | undefined;
  /** The same ticket in the shape of the contract. */
  record: TicketRef;
}

/** A customer, as far as decisions depend on it. Null for whatever the site has no field for. */
export interface Customer {
  name: string;
  orgIdField: OrgIdField;
  segment: string | null;
  shopPlan: string | null;
  crmCompanyId: string | null;
  crmCompanyUrl: string | null;
  /** How its last CRM check ended. */
  syncStatus: string | null;
  /** The same customer in the shape of the contract. */
  record: HelpdeskCustomer;
}

/** A ticket with the customer and contact that it links to. */
export interface TicketFile {
  ticket: Ticket;
  customer: Customer | null;
  contact: HelpdeskContact | null;
}

/** A customer with the requested contact. */
export interface CustomerFile {
  customer: Customer;
  contact: HelpdeskContact | null;
}

/** Customers that a search came upon. `isCut`: there are more than the helpdesk was asked to list. */
export interface CustomerSearchResult {
  customers: CustomerHit[];
  isCut: boolean;
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

export type CertificateFault = 'untrusted' | 'expired' | 'other_name';

/** Every way a helpdesk call can fail. The message is our own: an upstream body never gets into it. */
export class HelpdeskError extends Error {
  override readonly name = 'HelpdeskError';
  readonly kind: HelpdeskErrorKind;
  /** Why the helpdesk's certificate is not accepted; null unless it was that. */
  readonly certificate: CertificateFault | null;
  constructor(kind: HelpdeskErrorKind, message: string, certificate: CertificateFault | null = null) {
    super(message);
    this.kind = kind;
    this.certificate = certificate;
  }
}

/** The helpdesk in its own terms: tickets, customers, contacts. Every method may throw HelpdeskError. */
export interface Helpdesk {
  /** One request as the caller. Throws `unauthenticated` for a credential that belongs to nobody. */
  identify(caller: Credential, signal: AbortSignal): Promise<HelpdeskUser>;

  /**
   * Reads a ticket with customer and contact in one request as the caller. Throws `not_found` if no ticket has this
   * name, even if the helpdesk's database would coerce it to another (docs/decisions.md 13), and `forbidden` if the
   * caller may not read it; telling the two apart costs a second request.
   */
  readTicket(caller: Credential, name: string, signal: AbortSignal): Promise<TicketFile>;

  /**
   * Reads a customer, and then the contact if one is named, as the caller. Throws `not_found` if the name does not
   * exist, and `forbidden` if the caller may not read it; if the customer cannot be read, the contact is not requested.
   */
  readCustomerFile(
    caller: Credential,
    names: { customer: string; contact: string | null },
    signal: AbortSignal,
  ): Promise<CustomerFile>;

  /**
   * Searches customers by anything that an agent may have typed, as the caller, who finds only what they may list. Throws
   * `forbidden` if they may list none.
   */
  searchCustomers(caller: Credential, readings: readonly Reading[], signal: AbortSignal): Promise<CustomerSearchResult>;

  /** Writes the account owner's e-mail to the ticket. Repeatable; does nothing if the site has no such field. */
  writeResponsible(ticket: string, email: string, signal: AbortSignal): Promise<void>;

  /** Reads which fields the site has, so that later calls need not. Throws if the service account is refused. */
  warm(signal: AbortSignal): Promise<void>;

  /** The version of the helpdesk, as it calls itself; null if it does not say. */
  version(signal: AbortSignal): Promise<string | null>;

  /** Throws unless the helpdesk answers the service account now. */
  ping(signal: AbortSignal): Promise<void>;

  /**
   * Fields of the specification that the site lacks, under the site's names for them; null until `warm` has succeeded.
   */
  missingFields(): string[] | null;
}

/** The site's records of platform accounts (docs/decisions.md 8), read as the service account. */
export interface AccountLinks {
  /** Whether the site has such records, as far as known by now; if not, there is no need to read them. */
  areThere(): boolean;

  /** Those linked to a customer, at most 20; empty if the site has no such records. */
  of(customer: string, signal: AbortSignal): Promise<AccountLink[]>;
}
