import type { TimedDb } from '#store/leases.ts';
import * as leases from '#store/leases.ts';
import type { Logger } from './logger.ts';
import { runRegularly } from './run-regularly.ts';

/**
 * Regular work that one of all processes on a store does: whichever has its lease. A process that is killed is replaced
 * within `leaseMs + lookEveryMs` by one of the others; one that stops hands over at the next look
 * (docs/operate.md#several-replicas). A run may outlast the lease, so the work itself must bear being done twice.
 */
export interface Duties {
  /**
   * Runs a task while this process has the lease: at once when it gets it, then with a pause of the given milliseconds.
   *
   * @returns `ended` resolves once the signal has fired and the last run is over
   */
  regularly(
    how: { name: string; everyMs: number; logger: Logger; stopped: AbortSignal },
    task: () => Promise<unknown>,
  ): { ended: Promise<void> };
  /** Begins to look for the lease; until then nothing runs. */
  start(): void;
  /** Lets others take over. */
  stop(): Promise<void>;
}

/** The lease of whoever runs the loops. */
const loopsKey = 'loops';

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
  const wakes: (() => void)[] = [];
  const stopped = new AbortController();
  /** By the clock that nobody sets. */
  let heldUntil = Number.NEGATIVE_INFINITY;
  const isHeld = () => performance.now() < heldUntil;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const until = performance.now() + leaseMs;
    const isTaken = (await leases.take({ db, clock }, [loopsKey], owner, leaseMs)).has(loopsKey);
    const isNew = isTaken && !isHeld();
    heldUntil = isTaken ? until : Number.NEGATIVE_INFINITY;
    if (isNew) for (const wake of wakes) wake();
  }

  return {
    regularly(how, task) {
      const { wake, ended } = runRegularly(how, async () => isHeld() && task());
      wakes.push(wake);
      return { ended };
    },
    start() {
      looking = runRegularly({ name: 'duties', everyMs: lookEveryMs, logger, stopped: stopped.signal }, look).ended;
    },
    async stop() {
      stopped.abort();
      await looking;
      heldUntil = Number.NEGATIVE_INFINITY;
      await leases.release({ db, clock }, [loopsKey], owner).catch(() => {});
    },
  };
}
