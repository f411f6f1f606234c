import type { Clock } from '#runtime/clock.ts';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';
import { type DecidedTicket, turnsOf } from './decided-ticket.ts';
import { spreadOf, type Turn } from './fairness.ts';

/** A millisecond or two of reading and parsing. */
const portion = 50;

/** All decisions, newest first, in portions. */
async function* newestDecided(db: StateDb): AsyncGenerator<DecidedTicket[]> {
  let beforeId: string | null = null;
  for (;;) {
    const page: DecidedTicket[] = await decisions.newest(db, { beforeId, limit: portion });
    yield page;
    if (page.length < portion) return;
    beforeId = page.at(-1)?.id ?? null;
  }
}

/** How many decisions fairness is judged by (docs/monitoring.md#metrics). */
const judged = 400;
/** How long a judgement of it stands: it reads all of these. */
const judgeEveryMs = 60_000;

/** Per team, how far apart its agents are, in tickets, by the latest decisions; up to a minute old. */
export function createJudgeFairness(db: StateDb, clock: Clock): () => Promise<ReadonlyMap<string, number>> {
  let last: { at: number; spread: ReadonlyMap<string, number> } | null = null;
  return async () => {
    if (last === null || clock() - last.at >= judgeEveryMs)
      last = { at: clock(), spread: spreadOf(await latestTurns(db)) };
    return last.spread;
  };
}

/** The turns among the latest decisions, newest first. */
export async function latestTurns(db: StateDb): Promise<Turn[]> {
  const decided = [];
  for await (const page of newestDecided(db)) {
    decided.push(...page);
    if (decided.length >= judged) break;
  }
  return turnsOf(decided);
}
