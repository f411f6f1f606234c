import type { OrgId } from '@deskside/shared/orgid';

/** A customer as far as it takes to bring it up to date. Empty where the site has no such field. */
interface ListedCustomer {
  name: string;
  orgId: string;
  /** When the CRM was last asked about it, as the helpdesk's timestamp. */
  checkedAt: string;
}

/** A customer as far as the desk knows who it is. `isDesks`: no website user can have written it. */
export interface DeskCustomer {
  name: string;
  /** Empty where it has none, as the others. */
  orgId: string;
  crmId: string;
  domain: string;
  /** Of its name, domain and membership. */
  isDesks: boolean;
  members: { emails: string[]; phones: string[]; isDesks: boolean }[];
}

/**
 * Searches over the whole helpdesk, for commands of an operator. Read page by page as the service account, which sees
 * what its teams see. Every method may throw HelpdeskError.
 */
export interface HelpdeskSearch {
  /** Every customer once, oldest first. */
  customers(signal: AbortSignal): AsyncIterable<ListedCustomer>;
  /**
   * Every customer, oldest first, with the addresses and telephone numbers of its members. Of those that older versions
   * tie to a customer by a Contact's link only the desk's own count.
   */
  customersWithMembers(signal: AbortSignal): Promise<DeskCustomer[]>;
  /** Tickets that a person raised or created. */
  ticketsOfPerson(email: string, signal: AbortSignal): Promise<string[]>;
  /** Tickets that carry an org id or are linked to a customer with it, and the names of these customers. */
  ticketsOfCompany(orgId: OrgId, signal: AbortSignal): Promise<{ tickets: string[]; customers: string[] }>;
}
