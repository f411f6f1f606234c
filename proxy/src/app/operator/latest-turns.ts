import { turnsOf } from '#domain/operator/decided-ticket.ts';
import type { Turn } from '#domain/routing/fairness.ts';
import type { PipelineWatch } from '#ports/routing/pipeline-watch.ts';
import { newestDecided } from './newest-decided.ts';

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
