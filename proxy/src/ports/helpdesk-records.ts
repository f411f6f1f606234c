import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { Credential } from './helpdesk.ts';

/**
 * What the CRM lets us say of a helpdesk customer (design.md, decision 15). An absent member is left as it stands, null
 * clears it. Instants in epoch milliseconds; the adapter writes them in the site's own time zone and format.
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

/** A helpdesk customer as it was read; `modified` is the helpdesk's own stamp, for optimistic locking. */
export interface CustomerRecord {
  name: string;
  modified: string;
  /** As the record carries it; null where empty or where the site has no such field. */
  orgId: OrgId | null;
  crmCompanyId: string | null;
  /**
   * Instant of the company's last change in the CRM that is stored here, in whole seconds; null where unknown. Records
   * keep the site's clock, which shows one hour a year twice: read as the earlier one. Whether a company is the version
   * stored is therefore asked of `planCustomer(record, { companyModifiedAt })`, which compares what would be stored.
   */
  companyModifiedAt: number | null;
  lastCheckedAt: number | null;
  /** Opaque: the values that the adapter compares with. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** The link from a ticket to its customer, as it was read. */
export interface TicketLink {
  name: string;
  customer: string | null;
  modified: string;
}

/** The raw company as a snapshot (spec.md, "HD Customer Data"). `payload` is scrubbed JSON text. */
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
 * Writing the helpdesk's records as the service account. Writes to one record are serialised in this process, carry the
 * stamp of the version they were computed from, retry a deadlock, and are not sent at all where they change nothing.
 * Every method may throw HelpdeskError; a refusal of the service account is `unavailable`, never `forbidden`.
 */
export interface HelpdeskRecords {
  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless he may write the ticket. */
  requireTicketWrite(caller: Credential, ticket: string, signal: AbortSignal): Promise<void>;
  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless he may read the customer. */
  requireCustomerRead(caller: Credential, customer: string, signal: AbortSignal): Promise<void>;

  /** Throws `not_found`. */
  readTicketLink(ticket: string, signal: AbortSignal): Promise<TicketLink>;
  /** Null where there is none of this very name. */
  readCustomer(name: string, signal: AbortSignal): Promise<CustomerRecord | null>;
  /** Oldest first, so that every caller takes the same. */
  findCustomersByOrgId(orgId: OrgId, signal: AbortSignal): Promise<CustomerRecord[]>;
  findCustomersByCrmId(crmCompanyId: string, signal: AbortSignal): Promise<CustomerRecord[]>;

  /**
   * What writing these facts would change, by the record's field names; for a new customer with null. Asks nothing;
   * fields that the site lacks are left out. Throws `unavailable` before any customer has been read or looked for.
   */
  planCustomer(record: CustomerRecord | null, facts: CustomerFacts): FieldChange[];

  /** Creates a customer; null where the name is taken. The name is made by decision 12. */
  createCustomer(name: string, facts: CustomerFacts, signal: AbortSignal): Promise<CustomerRecord | null>;
  /** Writes what differs. `changed_meanwhile`: somebody wrote, renamed or deleted it since it was read; read it again. */
  updateCustomer(
    record: CustomerRecord,
    facts: CustomerFacts,
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
  /** Links the ticket, or unlinks it with null. Throws `rejected` where the helpdesk then keeps another customer. */
  linkTicket(
    link: TicketLink,
    customer: string | null,
    signal: AbortSignal,
  ): Promise<'linked' | 'unchanged' | 'changed_meanwhile'>;
  /** Upserts by source, entity type and external id. `absent`: the site keeps no snapshots. */
  saveSnapshot(snapshot: CompanySnapshot, signal: AbortSignal): Promise<'written' | 'unchanged' | 'absent'>;
}
