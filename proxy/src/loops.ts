import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Work } from './context.ts';
import { createProcessInbox } from './routing/inbox.ts';
import { sweepTickets } from './routing/sweep.ts';
import { assignWaiting } from './routing/waiting.ts';
import { createDuties } from './runtime/duties.ts';
import { runRegularly } from './runtime/run-regularly.ts';
import { cleanUp } from './store/clean-up.ts';

/** What is done on a schedule; each can also be done once, at once. */
export interface Loops {
  /** Works on every ticket that is due now. */
  processInbox(): Promise<void>;
  /**
   * Finds tickets whose webhook never came; `isWide`: including those whose timestamps were set back by a clock change.
   */
  sweep(isWide?: boolean): Promise<number>;
  /** Assigns waiting tickets to agents who are back. */
  assignWaiting(): Promise<number>;
  /** Deletes what has been kept long enough. */
  cleanUp(): Promise<void>;
  start(): void;
  /** Starts nothing new, aborts what runs, waits for it, though not for long, and lets others take over. */
  stop(): Promise<void>;
}

/** The pause of each between two runs. */
const everyMs = { inbox: 1_000, sweep: 30_000, waiting: 15_000, clean: 6 * 3_600_000 };
const wideSweepEveryMs = 15 * 60_000;
/** Longest run of a sweep, and of assigning waiting tickets. */
const withinMs = 60_000;
const stopWithinMs = 3_000;

/**
 * @param current the context that is in force
 * @param stop fires the signal `stopped` of every context
 */
export function loopsOn(current: () => Context, stop: AbortController): Loops {
  const { clock, db, logger, signs, stopped } = current();
  const duties = createDuties({ db, clock, logger });
  const processInbox = createProcessInbox(current);
  const reported = new Set<string>();
  let lastWideSweep = Number.NEGATIVE_INFINITY;
  let ended: Promise<unknown> = Promise.resolve();

  const work = (): Work => ({ ...current(), signal: AbortSignal.any([stopped, AbortSignal.timeout(withinMs)]) });

  async function sweep(isWide = false): Promise<number> {
    const found = await sweepTickets(work(), { isWide, reported });
    if (found > 0) signs.emit('arrived');
    return found;
  }

  async function sweepRegularly(): Promise<void> {
    const isWide = clock() - lastWideSweep >= wideSweepEveryMs;
    if (isWide) lastWideSweep = clock();
    await sweep(isWide);
  }

  const loops = {
    processInbox,
    sweep,
    assignWaiting: () => assignWaiting(work()),
    cleanUp: () => cleanUp(current(), stopped),
    start() {
      const how = (name: keyof typeof everyMs) => ({ name, everyMs: everyMs[name], logger, stopped });
      const ifRouting = (task: () => Promise<unknown>) => async () => current().routesTickets && task();
      // Every process works on tickets; finding them is the work of one.
      const inbox = runRegularly(how('inbox'), ifRouting(processInbox));
      signs.on('arrived', inbox.wake);
      const tasks = [
        inbox,
        duties.regularly(how('sweep'), ifRouting(sweepRegularly)),
        duties.regularly(how('waiting'), ifRouting(loops.assignWaiting)),
        duties.regularly(how('clean'), loops.cleanUp),
      ];
      ended = Promise.all(tasks.map((task) => task.ended));
      duties.start();
    },
    async stop() {
      stop.abort();
      // A CRM or a shop that hangs must not delay the stop: unfinished work is found again.
      await Promise.all([duties.stop(), Promise.race([ended, wait(stopWithinMs)])]);
    },
  };
  return loops;
}
