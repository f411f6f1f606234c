import type { HelpdeskUser } from '#helpdesk/people.ts';
import { AppError } from '#runtime/app-error.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Memory } from '#runtime/memory.ts';
import { createRateLimit } from '#runtime/rate-limit.ts';

/**
 * Counts a refresh that asks the CRM in spite of a fresh answer. Throws `rate_limited` for somebody who wants too many
 * of them (docs/api.md#callers): each costs a request of the CRM's budget.
 */
export type LimitRefreshes = (user: Pick<HelpdeskUser, 'id'>) => void;

/** More than a person presses; a script that wants every answer anew gets a fraction of the CRM's pace. */
const perUser = { burst: 20, perSecond: 1 / 3 };

/** By user and not by credential, because one user may have any number of those. */
export function createLimitRefreshes(memory: Memory, clock: Clock): LimitRefreshes {
  const refreshes = createRateLimit(memory, perUser, clock);
  return ({ id }) => {
    if (!refreshes.take(id)) throw AppError.rateLimited(refreshes.waitSeconds(id));
  };
}
