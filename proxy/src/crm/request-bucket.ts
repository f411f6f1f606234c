/**
 * Who asks the CRM. `click`: somebody waits for the answer. `open`: nobody does, but somebody will soon, as after a
 * ticket came in or behind an older answer that was shown at once. `backfill`: bulk work.
 */
export const lanes = ['click', 'open', 'backfill'] as const;
export type Lane = (typeof lanes)[number];

/** How much a portal takes: so many requests at once, and one more after each interval (milliseconds). */
export interface BucketLimits {
  capacity: number;
  intervalMs: number;
}

/** The part of the bucket that is a lane's own, in size and in pace: no other lane can use it up. */
const shares: Readonly<Record<Lane, number>> = { click: 0.6, open: 0.25, backfill: 0.15 };

/** How full a lane may make the shares of the others: what is left is there at once for their owners. */
const borrows: Readonly<Record<Lane, number>> = { click: 0.5, open: 0.25, backfill: 0.1 };

/** A lane's share of the bucket. Together the shares never let more through than the whole bucket would. */
export function shareOf(lane: Lane, { capacity, intervalMs }: BucketLimits): BucketLimits {
  return { capacity: Math.floor(capacity * shares[lane]), intervalMs: Math.ceil(intervalMs / shares[lane]) };
}

/** A share that a lane may use, and up to which level: so many requests, its own included. */
export interface UsableShare extends BucketLimits {
  lane: Lane;
  room: number;
}

/** The shares that a lane may use, in this order: its own, then the others', the least urgent first. */
export function usableShares(lane: Lane, limits: BucketLimits): UsableShare[] {
  const others = lanes.filter((other) => other !== lane).toReversed();
  return [lane, ...others].flatMap((of) => {
    const share = shareOf(of, limits);
    const room = of === lane ? share.capacity : Math.floor(share.capacity * borrows[lane]);
    return room > 0 ? { ...share, lane: of, room } : [];
  });
}

/** The latest moment that a share may be empty at, for one more request to fit in. */
export function latestLevel({ room, intervalMs }: UsableShare, now: number): number {
  return now + (room - 1) * intervalMs;
}

/**
 * A bucket's level, as the moment at which it will be empty (epoch milliseconds): so it drains without anybody touching
 * it. A moment further ahead than a full bucket takes to drain comes from a clock that has been put back, and counts as
 * full.
 */
export function levelAt(emptyAt: number, { capacity, intervalMs }: BucketLimits, now: number): number {
  return Math.min(Math.max(emptyAt, now), now + capacity * intervalMs);
}

/** How many requests a share takes at once, given its level: a whole number, 0 or more. */
export function leftIn({ capacity, intervalMs }: BucketLimits, level: number, now: number): number {
  return Math.max(0, Math.floor(capacity - (level - now) / intervalMs));
}

/**
 * How long until so many requests can have gone out (1 or more), in milliseconds, given the level of each usable share.
 * Others may be faster, so it is never less than this.
 */
export function waitFor(
  requests: number,
  levels: readonly { share: UsableShare; level: number }[],
  now: number,
): number {
  const next = levels.map(({ share, level }) => ({ wait: level - latestLevel(share, now), every: share.intervalMs }));
  let wait = Number.POSITIVE_INFINITY;
  for (let gone = 0; gone < requests; gone += 1) {
    const soonest = next.reduce<(typeof next)[number] | undefined>(
      (best, share) => (best === undefined || share.wait < best.wait ? share : best),
      undefined,
    );
    if (soonest === undefined) return Number.POSITIVE_INFINITY;
    wait = soonest.wait;
    soonest.wait += soonest.every;
  }
  return Math.max(0, wait);
}
