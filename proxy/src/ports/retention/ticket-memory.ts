/** A ticket of which something is kept, and when it was last known to be in use (epoch milliseconds). */
export interface RememberedTicket {
  ticket: string;
  activeAt: number;
  /** Whether the helpdesk no longer had it when it was last looked at. */
  gone: boolean;
}

/**
 * How long each ticket's records have to be kept (docs/decisions.md 27). A ticket counts as in use whenever something
 * about it is recorded, and whenever a look at the helpdesk shows that it is.
 */
export interface TicketMemory {
  /** Tickets that were last in use before the moment (epoch milliseconds), longest ago first. */
  lastActiveBefore(moment: number, limit: number): Promise<RememberedTicket[]>;
  /** Notes what a look at the helpdesk has shown. A later `activeAt` that is known already stays. */
  note(seen: readonly RememberedTicket[]): Promise<void>;
  /**
   * Deletes everything that is kept about a ticket, except its tombstones: name, creation and team of what was decided.
   * False, and nothing is deleted, if it has been in use since the moment.
   */
  forget(ticket: string, moment: number, now: number): Promise<boolean>;
}
