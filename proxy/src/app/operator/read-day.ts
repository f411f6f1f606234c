import { startOfDay } from '#domain/operator/day.ts';
import type { DecidedTicket } from '#domain/operator/decided-ticket.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Store } from '#store/store.ts';
import { newestDecided } from './newest-decided.ts';

/** The day's decisions, newest first. */
interface Day {
  /** Epoch milliseconds. */
  since: number;
  now: number;
  decided: readonly DecidedTicket[];
}

/** Reads the decisions since a moment (epoch milliseconds), or the latest of them if there are very many. */
export type ReadDay = (since: number) => Promise<Day>;

const most = 20_000;
/** Several pages and people look at the same day; that a decision has changed is seen this much later. */
const keptMs = 10_000;

export function createReadDay({
  watch,
  clock,
}: {
  watch: Pick<Store['pipelineWatch'], 'decided'>;
  clock: Clock;
}): ReadDay {
  let last: { since: number; newest: string | undefined; at: number; day: Promise<Day> } | null = null;

  async function read(since: number, now: number): Promise<Day> {
    const decided: DecidedTicket[] = [];
    for await (const page of newestDecided(watch)) {
      const ours = page.filter(({ at }) => at >= since);
      decided.push(...ours);
      // Ids grow in the order of the decisions.
      if (ours.length < page.length || decided.length >= most) break;
    }
    return { since, now, decided };
  }

  return async (wanted) => {
    const now = clock();
    const since = startOfDay(wanted, now);
    const newest = (await watch.decided({ beforeId: null, limit: 1 }))[0]?.id;
    const isSame = last?.since === since && last.newest === newest && now >= last.at && now - last.at < keptMs;
    if (last !== null && isSame) return last.day;
    const day = read(since, now);
    last = { since, newest, at: now, day };
    day.catch(() => {
      last = null;
    });
    return day;
  };
}
