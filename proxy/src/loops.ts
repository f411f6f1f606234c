import type { Process } from './make-context.ts';
import { createProcessInbox } from './routing/inbox.ts';
import { createPipelineSchedule, type PipelineSchedule } from './routing/schedule.ts';
import { sweepTickets } from './routing/sweep.ts';
import { assignWaiting } from './routing/waiting.ts';
import type { Current } from './runtime/current.ts';
import { createDuties } from './runtime/duties.ts';
import type { Service } from './service.ts';
import { cleanUp } from './store/clean-up.ts';

/** Pauses between two runs. */
const everyMs = {
  clean: 6 * 3_600_000,
};

/** What is done on a schedule, and for tests at once. */
export interface Loops {
  pipeline: Pick<PipelineSchedule, 'processInbox' | 'sweep' | 'assignWaiting'>;
  cleanUp(): Promise<void>;
  start(): void;
  /** Once `lasting.stopped` has fired: lets others take over, and waits for what runs, though not for long. */
  stop(): Promise<void>;
}

/**
 * @param current the service under the configuration that is in force
 * @param stop fires `lasting.stopped`
 */
export function loopsOn(
  lasting: Process,
  { current, stop }: { current: Current<Service>; stop: AbortController },
): Loops {
  const { clock, db, logger, signs, stopped } = lasting;
  const duties = createDuties({ db, clock, logger });
  const pipeline = createPipelineSchedule({
    processInbox: createProcessInbox({
      ...lasting,
      current,
    }),
    sweepTickets: (how, signal) => sweepTickets(current.now.ctx, how, signal),
    assignWaiting: (signal) => assignWaiting(current.now.ctx, signal),
    current,
    duties,
    stop,
    clock,
    logger,
  });
  signs.on('arrived', pipeline.wake);

  const clean = () => cleanUp(current.now.ctx, stopped);

  let ended: Promise<unknown> = Promise.resolve();
  return {
    pipeline,
    cleanUp: clean,
    start() {
      pipeline.start();
      const how = (name: keyof typeof everyMs) => ({ name, everyMs: everyMs[name], logger, stopped });
      const tasks = [duties.regularly(how('clean'), clean)];
      ended = Promise.all(tasks.map((task) => task.ended));
      duties.start();
    },
    async stop() {
      await Promise.all([duties.stop(), pipeline.stop(), ended]);
    },
  };
}
