import { withDeadline } from '#app/runtime/with-deadline.ts';
import type { Reading } from '#domain/find/read-query.ts';
import type { SearchAnswer } from '#ports/crm/crm.ts';
import type { BudgetedCrm } from '#ports/crm/crm-budget.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';

/** Searches the CRM's companies, if not told otherwise for somebody who waits. Never throws for anything the CRM does. */
export type SearchCompanies = (readings: readonly Reading[], lane?: 'click' | 'open') => Promise<SearchAnswer>;

/** As long as somebody waits at a panel. */
const deadlineMs = 4_500;
/** Long enough for going back and forth between results, too short for anybody to notice what the CRM has changed. */
const keepMs = 60_000;
const maxKept = 500;

export function createSearchCompanies(deps: {
  crm: Pick<BudgetedCrm, 'searchCompanies'>;
  memory: Memory;
  clock: Clock;
}): SearchCompanies {
  const kept = deps.memory.area<SearchAnswer>({ ttlMs: keepMs, max: maxKept });
  return async (readings, lane = 'click') => {
    const key = JSON.stringify(readings);
    const known = kept.get(key);
    if (known) return known;
    const asked = deps.crm.searchCompanies(readings, { lane, deadline: deps.clock() + deadlineMs });
    const answer = await withDeadline(asked, deadlineMs);
    if (answer === 'timeout') return { companies: [], isCut: false, failed: 'timeout' };
    if (answer.failed === null) kept.set(key, answer);
    return answer;
  };
}
