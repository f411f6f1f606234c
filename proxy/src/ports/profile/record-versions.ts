import type { Sender } from '#ports/customer/sync-log.ts';

/** Whose records a profile is made of. */
export interface RecordsAbout {
  ticket: string;
  /** Who raised it; null if nobody is named. */
  sender: string | null;
  /** Whose earlier choices count as well; null where they do not matter. */
  choicesOf: Sender | null;
}

/**
 * Tells whether our own records have changed since they were last read: syncs, rejections and decisions
 * (docs/decisions.md 40).
 */
export interface RecordVersions {
  /**
   * A text that is the same as an earlier one only if nothing of these has been written since, by any process. Ask before
   * reading what shall be remembered. Throws if the store fails.
   */
  of(about: RecordsAbout): string | Promise<string>;
  /** The same without waiting; null where that takes waiting. */
  atOnce(about: RecordsAbout): string | null;
}
