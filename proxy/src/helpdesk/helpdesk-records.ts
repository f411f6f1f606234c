import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { Credential } from './helpdesk.ts';

/**
 * What we may say about a helpdesk customer, from the CRM (docs/decisions.md 15). An absent member leaves its field
 * alone, null clears it. Instants in epoch milliseconds; the adapter writes them in the site's own time zone and
 * format.
 */
export interface CustomerFacts {
  platformOrgId?: OrgId;
  myplatform?: string;
  crmCompanyId?: string;
  crmCompanyUrl?: string;
  matchConfidence?: number;
  syncStatus?: 'matched' | 'not_found' | 'error';
  segment?: string;
  shopPlan?: string;
  companyModifiedAt?: number;
  lastSyncedAt?: number;
  lastCheckedAt?: number;
  notFoundAt?: number | null;
}

/** A helpdesk customer as read; `modified` is the helpdesk's own timestamp, for optimistic locking. */
export interface CustomerRecord {
  name: string;
  modified: string;
  /** As on the record; null if empty or if the site has no such field. */
  orgId: OrgId | null;
  crmCompanyId: string | null;
  /**
   * The company's last change in the CRM as stored here, in whole seconds; null if unknown. Records use the site's
   * clock, on which one hour a year occurs twice; it is read as the earlier one. To find out whether a company is the
   * stored version, use `planCustomer(record, { companyModifiedAt })`, which compares what would be stored.
   */
  companyModifiedAt: number | null;
  lastCheckedAt: number | null;
  /** Opaque: the values that the adapter compares against. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** The link from a ticket to its customer, as read. */
export interface TicketLink {
  name: string;
  customer: string | null;
  modified: string;
}

/** The raw company as a snapshot (docs/data.md#hd-customer-data). `payload` is scrubbed JSON text. */
export interface CompanySnapshot {
  customer: string;
  externalId: string;
  externalUrl: string | null;
  matchKey: string;
  confidence: number;
  payload: string;
  syncedAt: number;
}

/**
 * Writes the helpdesk's records as the service account. Writes to one record are serialised in this process, carry the
 * timestamp of the version they were computed from, are retried after a deadlock, and are skipped if they change
 * nothing. Every method may throw HelpdeskError; a refusal of the service account is `unavailable`, never `forbidden`.
 */
export interface HelpdeskRecords {
  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may write the ticket. */
  requireTicketWrite(caller: Credential, ticket: string, signal: AbortSignal): Promise<void>;
  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may read the customer. */
  requireCustomerRead(caller: Credential, customer: string, signal: AbortSignal): Promise<void>;

  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may write the customer. */
  requireCustomerWrite(caller: Credential, customer: string, signal: AbortSignal): Promise<void>;
  /**
   * Whether the site's permissions keep every website user from setting a customer's CRM id. Also false if that cannot
   * be determined. Cached for ten minutes; throws only the signal's reason.
   */
  crmIdIsProtected(signal: AbortSignal): Promise<boolean>;
  /**
   * Whether no website user may write or rename this customer: none may by role, or none manages it and the desk made it.
   * Also false if that cannot be determined.
   */
  isDeskOnly(customer: string, signal: AbortSignal): Promise<boolean>;

  /** Throws `not_found`. */
  readTicketLink(ticket: string, signal: AbortSignal): Promise<TicketLink>;
  /** Null if there is none with exactly this name. */
  readCustomer(name: string, signal: AbortSignal): Promise<CustomerRecord | null>;
  /** Oldest first, so that every caller picks the same one. */
  findCustomersByOrgId(orgId: OrgId, signal: AbortSignal): Promise<CustomerRecord[]>;
  findCustomersByCrmId(crmCompanyId: string, signal: AbortSignal): Promise<CustomerRecord[]>;
  /** Those whose name the helpdesk takes for this one, whatever its case and accents. Only to offer them to a person. */
  findCustomersNamed(name: string, signal: AbortSignal): Promise<CustomerRecord[]>;

  /**
   * What writing these facts would change, by the record's field names; null stands for a new customer. Makes no
   * request; fields that the site lacks are left out. Throws `unavailable` until something of the helpdesk has been read.
   */
  planCustomer(record: CustomerRecord | null, facts: CustomerFacts): FieldChange[];

  /** Creates a customer; null if the name is taken. docs/decisions.md 12 says how the name is formed. */
  createCustomer(name: string, facts: CustomerFacts, signal: AbortSignal): Promise<CustomerRecord | null>;
  /** Writes what differs. `changed_meanwhile`: it was changed, renamed or deleted since it was read; read it again. */
  updateCustomer(
    record: CustomerRecord,
    facts: CustomerFacts,
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
  /**
   * Takes back changes that `updateCustomer` made, as far as their fields still show what it wrote. Returns what it took
   * back; `changed_meanwhile` as there.
   */
  takeBack(
    record: CustomerRecord,
    changes: readonly FieldChange[],
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
  /** Links the ticket, or unlinks it with null. Throws `rejected` if the helpdesk then keeps another customer. */
  linkTicket(
    link: TicketLink,
    customer: string | null,
    signal: AbortSignal,
  ): Promise<'linked' | 'unchanged' | 'changed_meanwhile'>;
  /** Upserts by source, entity type and external id. `absent`: the site keeps no snapshots. */
  saveSnapshot(snapshot: CompanySnapshot, signal: AbortSignal): Promise<'written' | 'unchanged' | 'absent'>;
}
