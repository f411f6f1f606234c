/**
 * Rights to do something alone, across all processes that share one store. A right ends by itself, so that a process
 * that died keeps nobody out for long.
 */
export interface Leases {
  /**
   * Takes those of the keys that nobody else holds now, all at the same moment, for so many milliseconds (at most
   * `longestLeaseMs`). Gives the keys that were taken; who holds one already may take it again.
   */
  take(keys: readonly string[], owner: string, ms: number): Promise<Set<string>>;
  /** Gives keys back. Harmless for those that have ended, also where somebody else holds them by now. */
  release(keys: readonly string[], owner: string): Promise<void>;
}

/** No right is given for longer; one that ends later than this from now was dated by a clock that has been put back. */
export const longestLeaseMs = 5 * 60_000;
