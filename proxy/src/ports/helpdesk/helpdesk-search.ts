import type { OrgId } from '@deskside/shared/orgid';

/** A customer as far as it takes to tell twins, and old ones. Empty where the site has no such field. */
export interface ListedCustomer {
  name: string;
  domain: string;
  orgId: string;
  crmId: string;
  /** The helpdesk's timestamp. */
  creation: string;
  /** When the CRM was last asked about it, as the helpdesk's timestamp. */
  checkedAt: string;
}

/**
 * Searches over the whole helpdesk, for commands of an operator. Read page by page as the service account, which sees
 * what its teams see. Every method may throw HelpdeskError.
 */
export interface HelpdeskSearch {
  /** Every customer once, oldest first. */
  customers(signal: AbortSignal): AsyncIterable<ListedCustomer>;
  /** Tickets that a person raised or created. */
  ticketsOfPerson(email: string, signal: AbortSignal): Promise<string[]>;
  /** Tickets that carry an org id or are linked to a customer with it, and the names of these customers. */
  ticketsOfCompany(orgId: OrgId, signal: AbortSignal): Promise<{ tickets: string[]; customers: string[] }>;
}
