import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { RequestBudget } from './crm-budget.ts';
import {
  type BucketLimits,
  type Lane,
  lanes,
  latestLevel,
  leftIn,
  levelAt,
  shareOf,
  usableShares,
  waitFor,
} from './request-bucket.ts';

/** A bucket that this process shares with nobody. */
export function createMemoryBudget(limits: BucketLimits, clock: Clock): RequestBudget {
  const emptyAt = new Map<string, number>();
  const keyOf = (portal: string, lane: Lane) => `${portal} ${lane}`;
  return {
    async take(portal, lane) {
      const now = clock();
      const levels = usableShares(lane, limits).map((share) => {
        const stored = emptyAt.get(keyOf(portal, share.lane)) ?? now;
        return { share, level: levelAt(stored, share, now) };
      });
      const free = levels.find(({ share, level }) => level <= latestLevel(share, now));
      if (!free) return { ok: false, waitFor: (requests) => waitFor(requests, levels, now) };
      emptyAt.set(keyOf(portal, free.share.lane), free.level + free.share.intervalMs);
      return { ok: true };
    },
    async fill(portal) {
      const now = clock();
      for (const lane of lanes) {
        const { capacity, intervalMs } = shareOf(lane, limits);
        emptyAt.set(keyOf(portal, lane), now + capacity * intervalMs);
      }
    },
    async left(portal) {
      const now = clock();
      const inLane = (lane: Lane) => {
        const share = shareOf(lane, limits);
        return leftIn(share, levelAt(emptyAt.get(keyOf(portal, lane)) ?? now, share, now), now);
      };
      return { click: inLane('click'), open: inLane('open'), backfill: inLane('backfill') };
    },
  };
}

/** How many processes a budget in memory allows for: it is smaller than the shared one by this factor. */
const processes = 4;

/**
 * The shared bucket, replaced while its store fails by one in memory, small enough for several processes: the CRM is
 * then asked less, not more.
 */
export function withMemoryFallback(
  shared: RequestBudget,
  limits: BucketLimits,
  clock: Clock,
  logger: Logger,
): RequestBudget {
  const spare = createMemoryBudget(
    { capacity: Math.floor(limits.capacity / processes), intervalMs: limits.intervalMs * processes },
    clock,
  );
  let failing = false;
  async function sharedElse<T>(use: (budget: RequestBudget) => Promise<T>): Promise<T> {
    try {
      const given = await use(shared);
      if (failing) logger.info({ fault_ended: 'crm_budget_store' }, "The CRM's shared budget works again");
      failing = false;
      return given;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      if (!failing) logger.error({ fault: 'crm_budget_store', error: name }, "The CRM's shared budget cannot be used");
      failing = true;
      return use(spare);
    }
  }
  return {
    take: (portal, lane) => sharedElse((budget) => budget.take(portal, lane)),
    fill: (portal) => sharedElse((budget) => budget.fill(portal)),
    left: (portal) => sharedElse((budget) => budget.left(portal)),
  };
}
