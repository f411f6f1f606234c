import { type DecidedTicket, turnsOf } from '#domain/operator/decided-ticket.ts';
import type { Turn } from '#domain/routing/fairness.ts';
import type { PipelineWatch } from '#ports/routing/pipeline-watch.ts';

/** A millisecond or two of reading and parsing. */
const portion = 50;

/** All decisions, newest first, in portions. */
export async function* newestDecided(watch: Pick<PipelineWatch, 'decided'>): AsyncGenerator<DecidedTicket[]> {
  let beforeId: string | null = null;
  for (;;) {
    const page: DecidedTicket[] = await watch.decided({ beforeId, limit: portion });
    yield page;
    if (page.length < portion) return;
    beforeId = page.at(-1)?.id ?? null;
  }
}

/** How many decisions fairness is judged by (docs/monitoring.md#metrics). */
const judged = 400;

/** The turns among the latest decisions, newest first. */
export async function latestTurns(watch: Pick<PipelineWatch, 'decided'>): Promise<Turn[]> {
  const decided = [];
  for await (const page of newestDecided(watch)) {
    decided.push(...page);
    if (decided.length >= judged) break;
  }
  return turnsOf(decided);
}
