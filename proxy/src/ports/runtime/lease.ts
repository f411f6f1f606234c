/**
 * Exclusive rights, across all processes that share one store. They expire, so that a process that died does not block
 * others for long.
 */
export interface Leases {
  /**
   * Takes those of the keys that nobody else holds, all at once, for the given milliseconds (at most `longestLeaseMs`).
   * Returns the keys taken; their holder may take them again.
   */
  take(keys: readonly string[], owner: string, ms: number): Promise<Set<string>>;
  /** Releases keys. Harmless for those that have expired, even if another owner holds them by now. */
  release(keys: readonly string[], owner: string): Promise<void>;
  /** The keys with this beginning that somebody holds now, in order. */
  keysHeld(beginning: string): Promise<string[]>;
  /** Deletes what processes that died have left, at most `limit`; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

/** The longest lease. One that ends later than this from now was dated by a clock that has since been set back. */
export const longestLeaseMs = 5 * 60_000;
