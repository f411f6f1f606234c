/** What is deleted. Times are epoch milliseconds. */
export interface PurgeOrder {
  /** Tickets of which everything goes. Those whose records name the subject are added. */
  tickets: readonly string[];
  /** Whether a text of a record names the subject; null if only the tickets matter. */
  names: ((text: string) => boolean) | null;
  now: number;
  /** Only counts, and changes nothing. */
  isDry: boolean;
}

/** What was, or would be, deleted. */
export interface Purged {
  /** By name, in no particular order. */
  tickets: string[];
  /** Deleted rows of each table that has any. */
  deleted: Record<string, number>;
  /** Rows that stay without the subject, who was an agent there. */
  changed: Record<string, number>;
}

/** Deletes what is kept about one person, company or ticket, from every table. */
export type Purge = (order: PurgeOrder) => Promise<Purged>;
