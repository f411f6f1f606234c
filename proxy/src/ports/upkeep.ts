/** A restore of the store from a backup. Times are epoch milliseconds. */
export interface Restore {
  at: number;
  /** When what was restored had been backed up. */
  backedUpAt: number;
  /** Whether the teams' turns are those of today again, and no longer those of the backup. */
  turnsKnown: boolean;
}

/** What the store remembers of the work on it as a whole. Times are epoch milliseconds. */
export interface Upkeep {
  /** When it was last backed up; null if never. */
  lastBackup(): Promise<number | null>;
  noteBackup(at: number): Promise<void>;
  /** Null if it was never restored. */
  lastRestore(): Promise<Restore | null>;
  noteRestore(restore: Restore): Promise<void>;
}
