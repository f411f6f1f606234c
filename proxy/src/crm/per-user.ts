import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { createFairQueue, type FairQueueLimits } from '#runtime/concurrency.ts';
import { type Clock, createRateLimit, type Memory } from '#runtime/memory.ts';
import type { Lookup } from './lookup.ts';

/** What the CRM said, and what was done about it. The caller fills in `data.error.request_id`. */
export interface EnrichmentResult {
  looked: Lookup;
  /** The customer as it was when it was written; null: it was made, or nothing was to be written. */
  record?: CustomerRecord | null;
  data: EnrichmentData;
}

/** Each holds a place in the CRM's queue and requests of the service account; one user leaves room for others. */
const runs: FairQueueLimits = { slots: 64, slotsPerKey: 32, waiting: 500, waitingPerKey: 200, patienceMs: 30_000 };

export type EnrichmentRuns = ReturnType<typeof createEnrichmentRuns>;

/**
 * Runs an enrichment that a user has asked for when it is their turn. Who asks for the same while it is under way joins
 * it. It goes on if its caller leaves: others may be waiting, and finishing costs less than starting over. Throws
 * `rate_limited`.
 */
export function createEnrichmentRuns() {
  const running = new Map<string, Promise<EnrichmentResult>>();
  const queue = createFairQueue(runs);
  return (key: string, user: string, work: () => Promise<EnrichmentResult>): Promise<EnrichmentResult> => {
    const flight = running.get(key) ?? queue.run(user, undefined, work).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  };
}

/** A fifth of what the CRM's lane for clicks lets through, at most. */
const perUser = { burst: 10, perSecond: 1 / 5 };
const atOnce = { slots: 8, slotsPerKey: 2, waiting: 100, waitingPerKey: 5, patienceMs: 4_000 };

export type LimitSearches = ReturnType<typeof createLimitSearches>;

/**
 * Runs a search when it is the agent's turn. Each costs a request of the CRM's budget and up to three of the helpdesk's
 * time, so nobody gets more than a person can read (docs/api.md#callers). Throws `rate_limited`.
 */
export function createLimitSearches(memory: Memory, clock: Clock) {
  const searches = createRateLimit(memory, perUser, clock);
  const turns = createFairQueue(atOnce);
  return async <T>(agent: { id: string }, signal: AbortSignal, search: () => Promise<T>): Promise<T> => {
    searches.spend(agent);
    return turns.run(agent.id, signal, search);
  };
}
