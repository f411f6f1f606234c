import type { HelpdeskUser } from '#helpdesk/people.ts';
import { AppError } from '#runtime/app-error.ts';
import type { Clock } from '#runtime/clock.ts';
import { createFairQueue } from '#runtime/fair-queue.ts';
import type { Memory } from '#runtime/memory.ts';
import { createRateLimit } from '#runtime/rate-limit.ts';

/**
 * Runs a search when it is the agent's turn. Each costs a request of the CRM's budget and up to three of the helpdesk's
 * time, so nobody gets more than a person can read (docs/api.md#callers). Throws `rate_limited`.
 */
export type LimitSearches = <T>(
  agent: Pick<HelpdeskUser, 'id'>,
  signal: AbortSignal,
  search: () => Promise<T>,
) => Promise<T>;

/** A fifth of what the CRM's lane for clicks lets through, at most. */
const perUser = { burst: 10, perSecond: 1 / 5 };
const atOnce = { slots: 8, slotsPerKey: 2, waiting: 100, waitingPerKey: 5, patienceMs: 4_000 };

/** By user and not by credential, because one user may have any number of those. */
export function createLimitSearches(memory: Memory, clock: Clock): LimitSearches {
  const searches = createRateLimit(memory, perUser, clock);
  const turns = createFairQueue(atOnce);
  return async ({ id }, signal, search) => {
    if (!searches.take(id)) throw AppError.rateLimited(searches.waitSeconds(id));
    return turns.run(id, signal, search);
  };
}
