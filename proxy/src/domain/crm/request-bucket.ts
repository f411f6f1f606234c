/**
 * Who goes first when the CRM's budget is short. `click`: somebody waits for the answer. `open`: nobody does, but somebody
 * will soon, as after a ticket came in or behind an older answer that was shown at once. `backfill`: bulk work.
 */
export const lanes = ['click', 'open', 'backfill'] as const;
export type Lane = (typeof lanes)[number];

/** How much a portal takes: so many requests at once, and one more after each interval (milliseconds). */
export interface BucketLimits {
  capacity: number;
  intervalMs: number;
}

const reserved: Readonly<Record<Lane, number>> = { click: 0, open: 0.25, backfill: 0.5 };

/** How many requests of the bucket a lane leaves to the lanes above it. */
function reserveOf(lane: Lane, { capacity }: BucketLimits): number {
  return Math.floor(reserved[lane] * capacity);
}

/** The latest moment that the bucket may be empty at, for one more request of the lane to fit in. */
export function latestLevel(lane: Lane, limits: BucketLimits, now: number): number {
  return now + (limits.capacity - reserveOf(lane, limits) - 1) * limits.intervalMs;
}

/**
 * The bucket's level, as the moment at which it will be empty (epoch milliseconds): so it drains without anybody
 * touching it. A moment further ahead than a full bucket takes to drain comes from a clock that has been put back, and
 * counts as full.
 */
export function levelAt(emptyAt: number, { capacity, intervalMs }: BucketLimits, now: number): number {
  return Math.min(Math.max(emptyAt, now), now + capacity * intervalMs);
}
