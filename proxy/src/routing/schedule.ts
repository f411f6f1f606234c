import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '#context.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Current } from '#runtime/current.ts';
import type { Duties } from '#runtime/duties.ts';
import type { Logger } from '#runtime/logger.ts';
import { runRegularly } from '#runtime/run-regularly.ts';
import type { ProcessInbox } from './inbox.ts';

/** What the pipeline does on a schedule; each task can also be run once, at once. */
export interface PipelineSchedule {
  /** Processes everything that is due now. */
  processInbox: ProcessInbox;
  /**
   * Finds tickets whose webhook never came; `isWide`: including those whose timestamps were set back by a clock change.
   */
  sweep(isWide?: boolean): Promise<number>;
  /** Assigns waiting tickets to agents who are back. */
  assignWaiting(): Promise<number>;
  /** Something has come in: process the inbox now. */
  wake(): void;
  /** From now on does all of this on a schedule. */
  start(): void;
  /** Starts nothing new, aborts what runs, and waits for it, though not for long. */
  stop(): Promise<void>;
}

/** The pause of each task between two runs. */
const everyMs = { inbox: 1_000, sweep: 30_000, waiting: 15_000 };
const wideSweepEveryMs = 15 * 60_000;
/** Longest run of a sweep, and of assigning waiting tickets. */
const withinMs = 60_000;
const stopWithinMs = 3_000;

/**
 * @param deps.current what is in force: whether there is anything to do on schedule is asked before each run
 * @param deps.stop fires when `stop` is called; running work may listen to it too
 */
export function createPipelineSchedule(deps: {
  processInbox: ProcessInbox;
  sweepTickets: (how: { isWide: boolean; reported: Set<string> }, signal: AbortSignal) => Promise<number>;
  assignWaiting: (signal: AbortSignal) => Promise<number>;
  current: Current<{ ctx: Pick<Context, 'routesTickets'> }>;
  duties: Pick<Duties, 'regularly'>;
  stop: AbortController;
  clock: Clock;
  logger: Logger;
}): PipelineSchedule {
  const { processInbox, clock, logger } = deps;
  const stopped = deps.stop.signal;
  let wake = () => {};
  let ended: Promise<unknown> = Promise.resolve();
  const reported = new Set<string>();
  let lastWideSweep = Number.NEGATIVE_INFINITY;

  const within = () => AbortSignal.any([stopped, AbortSignal.timeout(withinMs)]);
  const assignWaiting = () => deps.assignWaiting(within());

  async function sweep(isWide = false): Promise<number> {
    const found = await deps.sweepTickets({ isWide, reported }, within());
    if (found > 0) wake();
    return found;
  }

  async function sweepRegularly(): Promise<void> {
    const isWide = clock() - lastWideSweep >= wideSweepEveryMs;
    if (isWide) lastWideSweep = clock();
    await sweep(isWide);
  }

  return {
    processInbox,
    sweep,
    assignWaiting,
    wake: () => wake(),
    start() {
      const whileOn = (task: () => Promise<unknown>) => async () => deps.current.now.ctx.routesTickets && task();
      const how = { logger, stopped };
      // Every process takes tickets out of the inbox; finding them is the work of one.
      const inbox = runRegularly({ name: 'inbox', everyMs: everyMs.inbox, ...how }, whileOn(processInbox));
      wake = inbox.wake;
      const tasks = [
        inbox,
        deps.duties.regularly({ name: 'sweep', everyMs: everyMs.sweep, ...how }, whileOn(sweepRegularly)),
        deps.duties.regularly({ name: 'waiting', everyMs: everyMs.waiting, ...how }, whileOn(assignWaiting)),
      ];
      ended = Promise.all(tasks.map((task) => task.ended));
    },
    async stop() {
      deps.stop.abort();
      // A CRM or a shop that hangs must not delay the stop: unfinished work is found in the inbox again.
      await Promise.race([ended, wait(stopWithinMs)]);
    },
  };
}
