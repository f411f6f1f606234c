import type { Credential } from './helpdesk.ts';

/** A ticket as lists show it. Instants in epoch milliseconds, null if unknown. */
export interface ListedTicket {
  name: string;
  subject: string | null;
  status: string | null;
  team: string | null;
  /** Names of the people who have it; a user id where the helpdesk tells no name. */
  assignees: string[];
  createdAt: number | null;
  /** Null while it is open. */
  closedAt: number | null;
}

/** A customer's tickets, newest first, as one person may see them. */
export interface CustomerTicketList {
  open: ListedTicket[];
  /** There are more open ones than these. */
  moreOpen: boolean;
  /** The last ones that were finished. */
  closed: ListedTicket[];
  /** When somebody last wrote for the customer, and on which ticket. */
  lastContact: { at: number; ticket: string } | null;
}

/** The path of a record's page, by its name. */
export type RecordPaths = (kind: 'ticket' | 'customer' | 'contact', name: string) => string;

/** What a person sees in the helpdesk around a ticket. Every method may throw HelpdeskError. */
export interface CustomerTickets {
  /**
   * The customer's tickets but the one named by `except`, read as the caller: what they may not see is left out without
   * a word (docs/helpdesk.md#a-customers-tickets).
   */
  readCustomerTickets(
    caller: Credential,
    customer: string,
    except: string,
    signal: AbortSignal,
  ): Promise<CustomerTicketList>;

  /** Where agents see records: paths on the helpdesk's own origin (docs/helpdesk.md#the-ticket-page). */
  readPaths(signal: AbortSignal): Promise<RecordPaths>;
}
