import { type BucketLimits, latestLevel, levelAt } from '#domain/crm/request-bucket.ts';
import type { Clock } from '#ports/clock.ts';
import type { RequestBudget } from '#ports/crm-budget.ts';
import type { Logger } from '#ports/logger.ts';

/** A bucket that this process shares with nobody. */
export function createMemoryBudget(limits: BucketLimits, clock: Clock): RequestBudget {
  const { capacity, intervalMs } = limits;
  const levels = new Map<string, number>();
  return {
    intervalMs,
    async take(portal, lane) {
      const now = clock();
      const latest = latestLevel(lane, limits, now);
      const level = levelAt(levels.get(portal) ?? now, limits, now);
      if (level > latest) return { ok: false, waitMs: level - latest };
      levels.set(portal, level + intervalMs);
      return { ok: true };
    },
    async fill(portal) {
      levels.set(portal, clock() + capacity * intervalMs);
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
      if (failing) logger.info({}, "The CRM's shared budget works again");
      failing = false;
      return given;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      if (!failing) logger.error({ alert: 'crm_budget_store', error: name }, "The CRM's shared budget cannot be used");
      failing = true;
      return use(spare);
    }
  }
  return {
    intervalMs: shared.intervalMs,
    take: (portal, lane) => sharedElse((budget) => budget.take(portal, lane)),
    fill: (portal) => sharedElse((budget) => budget.fill(portal)),
  };
}
