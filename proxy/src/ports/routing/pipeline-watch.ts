import type { DecidedTicket } from '#domain/operator/decided-ticket.ts';

/** What waits in the ticket pipeline, of all replicas together. Times in epoch milliseconds. */
export interface PipelineBacklog {
  /** Tickets that should have been worked on by now, and since when the first of them. */
  due: { tickets: number; since: number | null };
  /** Tickets of a team in which nobody is available, and since when the first of them. */
  waiting: { tickets: number; since: number | null };
}

/** The ticket pipeline as an operator sees it. Reads only, by index, and is cheap enough for every scrape. */
export interface PipelineWatch {
  backlog(now: number): Promise<PipelineBacklog>;
  /** Decisions newest first, a page at a time: those before the given id, if any. */
  decided(options: { beforeId: string | null; limit: number }): Promise<DecidedTicket[]>;
}
