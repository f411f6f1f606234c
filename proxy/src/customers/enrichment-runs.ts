import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { TrustLevel } from '@deskside/shared/status';
import type { Lookup } from '#crm/lookup.ts';
import { createFairQueue, type FairQueueLimits } from '#runtime/fair-queue.ts';

/** What the CRM said, and what was done about it. The caller fills in `data.error.request_id`. */
export interface Enriched {
  looked: Lookup;
  /** Who vouches for the org id; null without a ticket, or where the CRM failed. */
  level: TrustLevel | null;
  data: EnrichmentData;
}

/**
 * Runs an enrichment that a user has asked for when it is their turn. Who asks for the same while it is under way joins
 * it. It goes on if its caller leaves: others may be waiting, and finishing costs less than starting over. Throws
 * `rate_limited`.
 */
export type EnrichmentRuns = (key: string, user: string, work: () => Promise<Enriched>) => Promise<Enriched>;

/** Each holds a place in the CRM's queue and requests of the service account; one user leaves room for others. */
const runs: FairQueueLimits = {
  slots: 64,
  slotsPerKey: 32,
  waiting: 500,
  waitingPerKey: 200,
  patienceMs: 30_000,
};

export function createEnrichmentRuns(): EnrichmentRuns {
  const running = new Map<string, Promise<Enriched>>();
  const queue = createFairQueue(runs);
  const never = new AbortController().signal;
  return (key, user, work) => {
    const same = running.get(key);
    if (same) return same;
    const flight = queue.run(user, never, work).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  };
}
