import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';

/** A ticket that the pipeline needs to look at. */
export interface TicketWork {
  ticket: string;
  /** How we first heard of it: from an event, or by the sweep. */
  cause: 'webhook' | 'sweep';
  /** Epoch milliseconds when we first heard of the ticket, or heard of it again after it was finished. */
  since: number;
  /** How often it has been postponed since then. */
  attempts: number;
  /** The version of the work that was claimed; `finish` and `postpone` of an older one leave a newer one waiting. */
  revision: number;
}

/**
 * The queue of tickets for the pipeline. What `accept` has confirmed survives `kill -9`. Only one process works on a
 * ticket at a time; the claim of a process that died expires.
 */
export interface Inbox {
  /**
   * Stores an event and queues its ticket, in one transaction. Events are identified by the digest of their body: the
   * same one again has no effect, in any order. What it says of the insert is kept with it (`Decisions.inserted`). `at` in
   * epoch milliseconds.
   */
  accept(event: {
    digest: string;
    ticket: string;
    inserted?: InsertedTicket | null;
    at: number;
  }): Promise<'accepted' | 'known'>;
  /**
   * Queues tickets, due at the given time; one that is already waiting stays due at its own time if that is earlier.
   */
  enqueue(tickets: readonly string[], dueAt: number, now: number): Promise<void>;
  /** Claims due tickets for the given time: those due first, and among these those that have waited longest. */
  claim(owner: string, options: { limit: number; now: number; leaseMs: number }): Promise<TicketWork[]>;
  /** Nothing is left to do, unless something came in after the claim. */
  finish(work: Pick<TicketWork, 'ticket' | 'revision'>, owner: string): Promise<void>;
  /** The same for many at once. */
  finishAll(works: readonly Pick<TicketWork, 'ticket' | 'revision'>[], owner: string): Promise<void>;
  /** Ends claims of work that was not begun: it stays due. */
  giveBack(works: readonly Pick<TicketWork, 'ticket'>[], owner: string): Promise<void>;
  /** To be looked at again at the given time, or at once if something came in after the claim. */
  postpone(work: Pick<TicketWork, 'ticket' | 'revision'>, owner: string, dueAt: number): Promise<void>;
  /** Which of these tickets are waiting or being worked on. */
  waitingAmong(tickets: readonly string[]): Promise<Set<string>>;
  /** How many tickets are waiting or being worked on. */
  waiting(): Promise<number>;
  /** Deletes events from before the given time, at most `limit`; returns how many. */
  deleteEventsBefore(moment: number, limit: number): Promise<number>;
  /** The same for tickets that were finished and last came in before that time. */
  deleteFinishedBefore(moment: number, limit: number): Promise<number>;
}

/** How far the sweep over the helpdesk's tickets has got. */
export interface SweepMark {
  /**
   * The helpdesk's own timestamps, opaque. `from`: tickets created earlier are not ours. Null before the first sweep.
   */
  read(): Promise<{ from: string; until: string } | null>;
  /** Sets the mark. An existing `from` is kept. */
  write(mark: { from: string; until: string }): Promise<void>;
}
