/** What the store remembers of the work on it as a whole. Times are epoch milliseconds. */
export interface Upkeep {
  /** When it was last backed up; null if never. */
  lastBackup(): Promise<number | null>;
  noteBackup(at: number): Promise<void>;
}
