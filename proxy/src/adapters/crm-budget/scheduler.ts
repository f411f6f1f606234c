import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '#ports/clock.ts';
import type { RequestBudget, Urgency } from '#ports/crm-budget.ts';
import { type Job, JobQueue } from './job-queue.ts';

/** Sends jobs as the budget allows: higher lanes first, and waiting jobs of a kind together. */
export interface Scheduler {
  add(job: Job): void;
  hurry(job: Job, urgency: Urgency): void;
  /** Waits for one more request on behalf of work already under way; false if that is not before its deadline. */
  pass(urgency: Urgency): Promise<boolean>;
}

/** Waits for the given milliseconds; rejects once the signal fires. */
type Sleep = (ms: number, value?: undefined, options?: { signal: AbortSignal }) => Promise<void>;

export interface SchedulerDeps {
  budget: RequestBudget;
  portal: string;
  clock: Clock;
  /** For a clock that does not follow real time. */
  sleep?: Sleep | undefined;
}

export function createScheduler({ budget, portal, clock, sleep = wait }: SchedulerDeps): Scheduler {
  const queue = new JobQueue();
  let running = false;
  let nap = new AbortController();

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (let next = queue.first(); next; next = queue.first()) await letOneGo(next);
    running = false;
  }

  async function letOneGo({ batcher, lane }: Job): Promise<void> {
    for (const job of queue.takeHopeless(clock(), 0)) job.refuse('rate_limited');
    const refusal = batcher.refusal(lane);
    if (refusal) {
      for (const job of queue.takeAll(batcher, lane)) job.refuse(refusal);
      return;
    }
    nap = new AbortController();
    const allowance = await budget.take(portal, lane);
    if (allowance.ok) {
      // Jobs that have arrived meanwhile go along, and go first if in a higher lane.
      const jobs = queue.takeBatch();
      void jobs[0]?.batcher.run(jobs);
      return;
    }
    for (const job of queue.takeHopeless(clock() + allowance.waitMs, budget.intervalMs)) job.refuse('rate_limited');
    if (queue.size > 0) await sleep(allowance.waitMs, undefined, { signal: nap.signal }).catch(() => {});
  }

  return {
    add(job) {
      queue.add(job);
      // A new job may be in a lane that need not wait, or have no time to.
      nap.abort();
      void run();
    },
    hurry(job, urgency) {
      queue.hurry(job, urgency);
      nap.abort();
    },
    async pass({ lane, deadline }) {
      for (;;) {
        const allowance = await budget.take(portal, lane);
        if (allowance.ok) return true;
        if (clock() + allowance.waitMs > deadline) return false;
        await sleep(allowance.waitMs);
      }
    },
  };
}
