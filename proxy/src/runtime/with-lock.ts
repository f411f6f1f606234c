import { setTimeout as wait } from 'node:timers/promises';
import type { TimedDb } from '#store/leases.ts';
import * as leases from '#store/leases.ts';
import { AppError } from './app-error.ts';
import { createKeyedMutex } from './keyed-mutex.ts';

/**
 * Runs work exclusively for one key, across all processes on one store. Others queue up, at most half a
 * minute; then `rate_limited`. The signal aborts work that takes longer than 45 seconds.
 */
export type WithLock = <T>(key: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Renewed while the work goes on, so that a process that died blocks others for no longer than this. */
const leaseMs = 12_000;
const workMs = 45_000;
const patienceMs = 30_000;
const pauseMs = 25;
const retryAfterSeconds = 5;

export function createWithLock(store: TimedDb): WithLock {
  const owner = crypto.randomUUID();
  const inThisProcess = createKeyedMutex();

  async function withLease<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUp = performance.now() + patienceMs;
    while (!(await leases.take(store, [key], owner, leaseMs)).has(key)) {
      if (performance.now() > giveUp) throw AppError.rateLimited(retryAfterSeconds);
      await wait(pauseMs * (0.5 + Math.random()));
    }
    const end = keepLease(store, key, owner, leaseMs);
    try {
      return await work(AbortSignal.timeout(workMs));
    } finally {
      end();
      // A lease that cannot be released expires.
      await leases.release(store, [key], owner).catch(() => {});
    }
  }

  // Within this process callers queue up, so that only one of them at a time asks the store.
  return (key, work) => inThisProcess(key, () => withLease(key, work));
}

/** Renews a lease that is held, three times in its life, until the returned function is called. */
function keepLease(store: TimedDb, key: string, owner: string, ms: number): () => void {
  const renewal = setInterval(() => void leases.take(store, [key], owner, ms).catch(() => {}), ms / 3);
  return () => clearInterval(renewal);
}
