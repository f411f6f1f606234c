import type { Reading } from '#intake/read-query.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Memory } from '#runtime/memory.ts';
import { withDeadline } from '#runtime/with-deadline.ts';
import type { SearchAnswer } from './crm.ts';
import type { BudgetedCrm } from './crm-budget.ts';

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
