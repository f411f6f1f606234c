/** A ticket that the pipeline has to look at. */
export interface TicketWork {
  ticket: string;
  /** How we heard of it first: from an event, or by the sweep. */
  cause: 'webhook' | 'sweep';
  /** Epoch milliseconds of the moment when we first heard of the ticket, or heard of it again after it was finished. */
  since: number;
  /** How often it was postponed since then. */
  attempts: number;
  /** Which version of the work was claimed; `finish` and `postpone` of an older one leave a newer one waiting. */
  revision: number;
}

/**
 * Tickets that wait for the pipeline. What `accept` has confirmed survives `kill -9`. A ticket is worked on by one
 * process at a time; the claim of one that died ends by itself.
 */
export interface Inbox {
  /**
   * Keeps an event and puts its ticket in the queue, in one transaction. An event is known by the digest of its body:
   * the same one again has no effect, whatever the order. `at` in epoch milliseconds.
   */
  accept(event: { digest: string; ticket: string; at: number }): Promise<'accepted' | 'known'>;
  /** Puts tickets in the queue, due at the given moment; one that waits already stays due when it was, if that is earlier. */
  enqueue(tickets: readonly string[], dueAt: number, now: number): Promise<void>;
  /** Claims tickets that are due, for so many milliseconds: those due first, and of these those waiting longest. */
  claim(owner: string, options: { limit: number; now: number; leaseMs: number }): Promise<TicketWork[]>;
  /** Nothing is left to do, unless something came in since the claim. */
  finish(work: Pick<TicketWork, 'ticket' | 'revision'>, owner: string): Promise<void>;
  /** To be looked at again at the given moment, or at once if something came in since the claim. */
  postpone(work: Pick<TicketWork, 'ticket' | 'revision'>, owner: string, dueAt: number): Promise<void>;
  /** Which of these tickets wait or are being worked on. */
  waitingAmong(tickets: readonly string[]): Promise<Set<string>>;
  /** How many tickets wait or are being worked on. */
  waiting(): Promise<number>;
  /** Forgets events from before the given moment; returns how many. */
  deleteEventsBefore(moment: number): Promise<number>;
}

/** How far the sweep over the helpdesk's tickets has come. */
export interface SweepMark {
  /** The helpdesk's own stamps, opaque. `from`: tickets created before are none of ours. Null before the first sweep. */
  read(): Promise<{ from: string; until: string } | null>;
  /** Sets the mark. `from` is kept if there is one already. */
  write(mark: { from: string; until: string }): Promise<void>;
}
