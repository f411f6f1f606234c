import type { Context } from '#context.ts';
import { restBetween } from '#runtime/concurrency.ts';
import { reasonOf } from '#runtime/jobs.ts';
import * as decisions from './decisions.ts';
import { forgetClosedTickets } from './forget-closed-tickets.ts';
import * as leases from './leases.ts';

const dayMs = 24 * 3_600_000;
/** No insert takes that long. */
const unnamedMs = 30 * dayMs;
/** How long the CRM's answers, negative ones included, are kept as last good data. */
const cacheMs = 90 * dayMs;
/**
 * Rows per statement: a click may have to wait for it where the database runs in this process.
 */
const portion = 20;

/**
 * Deletes what has been kept long enough (docs/data.md#tables), in portions between which everything else gets its
 * turn. What fails is logged and left for the next run.
 */
export async function cleanUp(ctx: Context, signal: AbortSignal): Promise<void> {
  const { db, clock, profileCache, logger } = ctx;
  const before = (ms: number) => clock() - ms;
  const tables: [string, (limit: number) => Promise<number>][] = [
    ['preliminary', (limit) => decisions.deletePreliminaryBefore(db, before(unnamedMs), limit)],
    ['answers', (limit) => profileCache.deleteCheckedBefore(before(cacheMs), limit)],
    ['leases', (limit) => leases.deleteExpired({ db, clock }, limit)],
  ];
  const removed: Record<string, number> = {};
  const note = async (what: string, work: Promise<number>) => {
    try {
      const count = await work;
      if (count > 0) removed[what] = count;
    } catch (error) {
      if (!signal.aborted) logger.warn({ what, error: reasonOf(error) }, 'Old data could not be deleted');
    }
  };
  for (const [what, remove] of tables) await note(what, inPortions(remove, signal));
  await note('tickets', forgetClosedTickets(ctx, signal));
  if (Object.keys(removed).length > 0) logger.info({ removed }, 'Old data deleted');
}

async function inPortions(remove: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let removed = 0;
  const rest = restBetween();
  while (!signal.aborted) {
    const count = await remove(portion);
    removed += count;
    // Also behind the last one: the next table's first follows.
    await rest();
    if (count < portion) break;
  }
  return removed;
}
