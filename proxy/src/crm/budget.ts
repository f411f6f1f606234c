import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import { emptyAt, pour, setEmptyAt } from '#store/request-budget.ts';
import type { Store } from '#store/store.ts';

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

/**
 * What we allow ourselves, by the portal's plan (`CRM_PLAN`): four fifths of the published bucket, drained at nine tenths
 * of the published rate (docs/crm.md#limits: 50 and 2 a second, 250 and 5 a second), so that others at our address have
 * room and clock differences do no harm.
 */
export const ourLimits: Readonly<Record<'standard' | 'enterprise', BucketLimits>> = {
  standard: { capacity: 40, intervalMs: Math.ceil(1_000 / 1.8) },
  enterprise: { capacity: 200, intervalMs: Math.ceil(1_000 / 4.5) },
};

/** The part of the bucket that is a lane's own, in size and in pace: no other lane can use it up. */
const shares: Readonly<Record<Lane, number>> = { click: 0.6, open: 0.25, backfill: 0.15 };

/** How full a lane may make the shares of the others: what is left is there at once for their owners. */
const borrows: Readonly<Record<Lane, number>> = { click: 0.5, open: 0.25, backfill: 0.1 };

/** A lane's share of the bucket. Together the shares never let more through than the whole bucket would. */
function shareOf(lane: Lane, { capacity, intervalMs }: BucketLimits): BucketLimits {
  return { capacity: Math.floor(capacity * shares[lane]), intervalMs: Math.ceil(intervalMs / shares[lane]) };
}

/** A share that a lane may use, and up to which level: so many requests, its own included. */
interface UsableShare extends BucketLimits {
  lane: Lane;
  room: number;
}

/** The shares that a lane may use, in this order: its own, then the others', the least urgent first. */
function usableShares(lane: Lane, limits: BucketLimits): UsableShare[] {
  const others = lanes.filter((other) => other !== lane).toReversed();
  return [lane, ...others].flatMap((of) => {
    const share = shareOf(of, limits);
    const room = of === lane ? share.capacity : Math.floor(share.capacity * borrows[lane]);
    return room > 0 ? { ...share, lane: of, room } : [];
  });
}

/** The latest moment that a share may be empty at, for one more request to fit in. */
function latestLevel({ room, intervalMs }: UsableShare, now: number): number {
  return now + (room - 1) * intervalMs;
}

/**
 * A bucket's level, as the moment at which it will be empty (epoch milliseconds): so it drains without anybody touching
 * it. A moment further ahead than a full bucket takes to drain comes from a clock that has been put back, and counts as
 * full.
 */
function levelAt(emptyAt: number, { capacity, intervalMs }: BucketLimits, now: number): number {
  return Math.min(Math.max(emptyAt, now), now + capacity * intervalMs);
}

/**
 * How long until so many requests can have gone out (1 or more), in milliseconds, given the level of each usable share.
 * Others may be faster, so it is never less than this.
 */
function waitFor(requests: number, levels: readonly { share: UsableShare; level: number }[], now: number): number {
  const next = levels.map(({ share, level }) => ({ wait: level - latestLevel(share, now), every: share.intervalMs }));
  let wait = Number.POSITIVE_INFINITY;
  for (let sent = 0; sent < requests; sent += 1) {
    const [soonest] = next.toSorted((a, b) => a.wait - b.wait);
    if (soonest === undefined) break;
    wait = soonest.wait;
    soonest.wait += soonest.every;
  }
  return Math.max(1, wait);
}

/** Where levels are kept: the moment at which each bucket will be empty, in epoch milliseconds. */
interface Levels {
  /** Adds one request to a bucket if it will be empty by `latest`; says whether it has. */
  pour(bucket: string, intervalMs: number, latest: number, now: number): Promise<boolean>;
  /** Undefined if nothing was poured into it yet. */
  emptyAt(bucket: string): Promise<number | undefined>;
  setEmptyAt(bucket: string, at: number): Promise<void>;
}

/** Levels as rows that all processes on the store share. */
export function levelsIn(db: Store['db']): Levels {
  return {
    pour: (...bucket) => pour(db, ...bucket),
    emptyAt: (bucket) => emptyAt(db, bucket),
    setEmptyAt: (bucket, at) => setEmptyAt(db, bucket, at),
  };
}

/** Levels as variables of this process. */
export function levelsInMemory(): Levels {
  const levels = new Map<string, number>();
  return {
    async pour(bucket, intervalMs, latest, now) {
      const level = levels.get(bucket) ?? now;
      if (level > latest) return false;
      levels.set(bucket, Math.max(level, now) + intervalMs);
      return true;
    },
    emptyAt: async (bucket) => levels.get(bucket),
    setEmptyAt: async (bucket, at) => void levels.set(bucket, at),
  };
}

/** Whether one more request may be sent now; if not, the least time until so many can have been, in milliseconds. */
type Allowance = { ok: true } | { ok: false; waitFor(requests: number): number };

export type Budget = ReturnType<typeof openBudget>;

/** How many processes a budget in memory allows for when the shared one fails: it is smaller by this factor. */
const processes = 4;

/**
 * The requests that a portal accepts from this address, shared by everyone who asks it: a bucket that holds a number of
 * requests and drains at a steady rate (docs/crm.md#limits), divided into a share for each lane. What a lane leaves unused
 * the others may use, but for a part that stays free for it. While the store fails a bucket in memory stands in, small
 * enough for several processes: the CRM is then asked less, not more.
 */
export function openBudget(
  shared: Levels,
  limits: BucketLimits,
  { portal, clock, logger }: { portal: string; clock: Clock; logger: Logger },
) {
  const spare = levelsInMemory();
  const spareLimits = { capacity: Math.floor(limits.capacity / processes), intervalMs: limits.intervalMs * processes };
  let isFailing = false;
  const bucketOf = (lane: Lane) => `${portal} ${lane}`;

  async function withLevels<T>(use: (levels: Levels, limits: BucketLimits) => Promise<T>): Promise<T> {
    try {
      const result = await use(shared, limits);
      if (isFailing) logger.info({ fault_ended: 'crm_budget_store' }, "The CRM's shared budget works again");
      isFailing = false;
      return result;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      if (!isFailing)
        logger.error({ fault: 'crm_budget_store', error: name }, "The CRM's shared budget cannot be used");
      isFailing = true;
      return use(spare, spareLimits);
    }
  }

  return {
    take: (lane: Lane): Promise<Allowance> =>
      withLevels(async (levels, within) => {
        const now = clock();
        const full: { share: UsableShare; level: number }[] = [];
        for (const share of usableShares(lane, within)) {
          const bucket = bucketOf(share.lane);
          if (await levels.pour(bucket, share.intervalMs, latestLevel(share, now), now)) return { ok: true };
          const stored = (await levels.emptyAt(bucket)) ?? now;
          const level = levelAt(stored, share, now);
          // Otherwise a level from a clock that has been set back would stay until that time comes again.
          if (level < stored) await levels.setEmptyAt(bucket, level);
          full.push({ share, level });
        }
        return { ok: false, waitFor: (requests) => waitFor(requests, full, now) };
      }),

    /** The portal reported that its bucket is full; its word overrides our count. */
    fill: (): Promise<void> =>
      withLevels(async (levels, within) => {
        const now = clock();
        for (const lane of lanes) {
          const { capacity, intervalMs } = shareOf(lane, within);
          await levels.setEmptyAt(bucketOf(lane), now + capacity * intervalMs);
        }
      }),

    /** How many requests each lane's own share takes at once. Changes nothing. */
    left: (): Promise<Record<Lane, number>> =>
      withLevels(async (levels, within) => {
        const now = clock();
        const inLane = async (lane: Lane) => {
          const share = shareOf(lane, within);
          const level = levelAt((await levels.emptyAt(bucketOf(lane))) ?? now, share, now);
          return Math.max(0, Math.floor(share.capacity - (level - now) / share.intervalMs));
        };
        return { click: await inLane('click'), open: await inLane('open'), backfill: await inLane('backfill') };
      }),
  };
}
