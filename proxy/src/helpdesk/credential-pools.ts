import { AppError } from '#runtime/app-error.ts';
import type { Clock } from '#runtime/clock.ts';
import { createFairQueue, type FairQueueLimits } from '#runtime/fair-queue.ts';
import type { Memory } from '#runtime/memory.ts';
import { createRateLimit } from '#runtime/rate-limit.ts';
import type { Caller } from './caller.ts';

/**
 * How many requests to the helpdesk a caller may have at once (docs/operations.md#limits). Credentials that the helpdesk
 * has not accepted yet share a few slots, so that a flood of them cannot slow down agents; client addresses take turns.
 */
export interface CredentialPools {
  /** Sends one request to the helpdesk when it is the caller's turn. Throws `rate_limited`. */
  ask<T>(caller: Caller, signal: AbortSignal, send: () => Promise<T>): Promise<T>;
  /** Whether the helpdesk has accepted the credential recently. */
  isKnown(caller: Caller): boolean;
  /** Whether the helpdesk refused it a moment ago: there is no need to ask again yet. */
  isRefused(caller: Caller): boolean;
  markKnown(caller: Caller): void;
  markRefused(caller: Caller): void;
}

/** Identical requests of one credential are merged already, so these are for different tickets. */
const forKnown: FairQueueLimits = {
  slots: 16,
  slotsPerKey: 8,
  waiting: 2_000,
  waitingPerKey: 100,
  patienceMs: 8_000,
};

const forUnknown: FairQueueLimits = {
  slots: 6,
  slotsPerKey: 4,
  waiting: 1_000,
  waitingPerKey: 200,
  patienceMs: 4_000,
};

/** Connections that callers' requests can use at once; the service account has its own. */
export const callerSlots = forKnown.slots + forUnknown.slots;
export const serviceSlots = 10;

/** How many credentials of one address the helpdesk may refuse before the next unknown one has to wait. */
const refusals = { burst: 100, perSecond: 2 };

/** A working day, so that nobody turns into a stranger over lunch. Permissions are checked much more often than that. */
const knownMs = 12 * 3_600_000;
const refusedMs = 5_000;

export function createCredentialPools(memory: Memory, clock?: Clock): CredentialPools {
  const known = memory.area<object>({ ttlMs: knownMs, max: 10_000 });
  const refused = memory.area<object>({ ttlMs: refusedMs, max: 10_000 });
  const queues = { known: createFairQueue(forKnown), unknown: createFairQueue(forUnknown) };
  const guesses = createRateLimit(memory, refusals, clock);
  const isKnown = ({ digest }: Caller) => known.get(digest) !== undefined;

  return {
    async ask(caller, signal, send) {
      if (isKnown(caller)) return queues.known.run(caller.digest, signal, send);
      const client = caller.client ?? 'unknown';
      return queues.unknown.run(client, signal, () => {
        if (!guesses.has(client)) throw AppError.rateLimited(1);
        return send();
      });
    },
    isKnown,
    isRefused: ({ digest }) => refused.get(digest) !== undefined,
    markKnown({ digest }) {
      known.set(digest, {});
      refused.delete(digest);
    },
    markRefused({ digest, client = 'unknown' }) {
      guesses.take(client);
      known.delete(digest);
      refused.set(digest, {});
    },
  };
}
