import { setTimeout as wait } from 'node:timers/promises';
import type { Leases } from '../ports/lease.ts';
import { AppError } from './app-error.ts';

/**
 * Does work on one thing alone, across all processes on one store. Those who want the same wait for their turn, at most
 * half a minute; then `rate_limited`. The signal ends work that takes longer than 45 seconds.
 */
export type Exclusively = <T>(key: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Renewed while the work goes on, so that a process that died keeps nobody out for longer than this. */
const leaseMs = 15_000;
const workMs = 45_000;
const patienceMs = 30_000;
const pauseMs = 25;

export function createExclusively(leases: Leases): Exclusively {
  const owner = crypto.randomUUID();
  const last = new Map<string, Promise<unknown>>();

  async function withLease<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUp = performance.now() + patienceMs;
    while (!(await leases.take([key], owner, leaseMs)).has(key)) {
      if (performance.now() > giveUp) throw new AppError('rate_limited');
      await wait(pauseMs * (0.5 + Math.random()));
    }
    const renewal = setInterval(() => void leases.take([key], owner, leaseMs).catch(() => {}), leaseMs / 3);
    try {
      return await work(AbortSignal.timeout(workMs));
    } finally {
      clearInterval(renewal);
      // One that cannot be given back ends by itself.
      await leases.release([key], owner).catch(() => {});
    }
  }

  return (key, work) => {
    // In this process they queue up, so that the store is asked by one of them at a time.
    const turn = (last.get(key) ?? Promise.resolve()).then(() => withLease(key, work));
    const settled = turn.then(
      () => {},
      () => {},
    );
    last.set(key, settled);
    settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return turn;
  };
}
