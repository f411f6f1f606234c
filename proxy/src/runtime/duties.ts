import type { TimedDb } from '#store/leases.ts';
import * as leases from '#store/leases.ts';
import type { Logger } from './logger.ts';
import { runRegularly } from './run-regularly.ts';

/**
 * Regular work that one of all processes on a store does: whichever has its lease. A process that is killed is replaced
 * within `leaseMs + lookEveryMs` by one of the others; one that stops hands over at the next look
 * (docs/operations.md#several-replicas). A run may outlast its lease, so the work itself must bear being done twice.
 */
export interface Duties {
  /**
   * Runs a task while this process has the duty: at once when it gets it, then with a pause of the given milliseconds.
   *
   * @returns `ended` resolves once the signal has fired and the last run is over
   */
  regularly(
    how: { name: string; everyMs: number; logger: Logger; stopped: AbortSignal },
    task: () => Promise<unknown>,
  ): { ended: Promise<void> };
  /** Begins to take duties; until then nothing runs. */
  start(): void;
  /** Lets others take over. */
  stop(): Promise<void>;
}

const usual = { lookEveryMs: 3_000, leaseMs: 10_000 };

export function createDuties({
  db,
  clock,
  logger,
  times: { lookEveryMs, leaseMs } = usual,
}: {
  db: TimedDb['db'];
  clock: TimedDb['clock'];
  logger: Logger;
  times?: typeof usual;
}): Duties {
  const owner = crypto.randomUUID();
  const wakes = new Map<string, () => void>();
  const stopped = new AbortController();
  /** Until when, by the clock that nobody sets. */
  const heldUntil = new Map<string, number>();
  const has = (key: string) => performance.now() < (heldUntil.get(key) ?? Number.NEGATIVE_INFINITY);
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const until = performance.now() + leaseMs;
    const taken = await leases.take({ db, clock }, [...wakes.keys()], owner, leaseMs);
    for (const [key, wake] of wakes) {
      const isNew = taken.has(key) && !has(key);
      if (taken.has(key)) heldUntil.set(key, until);
      else heldUntil.delete(key);
      if (isNew) wake();
    }
  }

  return {
    regularly({ name, ...how }, task) {
      const key = `duty ${name}`;
      const { wake, ended } = runRegularly({ name, ...how }, async () => has(key) && task());
      wakes.set(key, wake);
      return { ended };
    },
    start() {
      looking = runRegularly({ name: 'duties', everyMs: lookEveryMs, logger, stopped: stopped.signal }, look).ended;
    },
    async stop() {
      stopped.abort();
      await looking;
      heldUntil.clear();
      await leases.release({ db, clock }, [...wakes.keys()], owner).catch(() => {});
    },
  };
}
