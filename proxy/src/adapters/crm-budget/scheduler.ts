import type { Clock } from '../../ports/clock.ts';
import type { RequestBudget, Urgency } from '../../ports/crm-budget.ts';
import { type Job, JobQueue } from './job-queue.ts';
import type { Sleep } from './sleep.ts';

/** Lets jobs go out as the budget allows: the higher lane first, and what waits together goes together. */
export interface Scheduler {
  add(job: Job): void;
  hurry(job: Job, urgency: Urgency): void;
  /** Waits until one more request may go out, for work that has had its turn before; false: not before its deadline. */
  pass(urgency: Urgency): Promise<boolean>;
}

export interface SchedulerDeps {
  budget: RequestBudget;
  portal: string;
  clock: Clock;
  sleep: Sleep;
}

export function createScheduler({ budget, portal, clock, sleep }: SchedulerDeps): Scheduler {
  const queue = new JobQueue();
  const never = new AbortController().signal;
  let running = false;
  let nap = new AbortController();

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (let next = queue.first(); next; next = queue.first()) await letOneGo(next);
    running = false;
  }

  async function letOneGo({ errand, lane }: Job): Promise<void> {
    for (const job of queue.takeHopeless(clock(), 0)) job.refuse('rate_limited');
    const refusal = errand.refusal(lane);
    if (refusal) {
      for (const job of queue.takeAll(errand, lane)) job.refuse(refusal);
      return;
    }
    nap = new AbortController();
    const allowance = await budget.take(portal, lane);
    if (allowance.ok) {
      // Whoever has come meanwhile goes along, and in a higher lane first.
      const jobs = queue.takeBatch();
      void jobs[0]?.errand.run(jobs);
      return;
    }
    for (const job of queue.takeHopeless(clock() + allowance.waitMs, budget.intervalMs)) job.refuse('rate_limited');
    if (queue.size > 0) await sleep(allowance.waitMs, nap.signal);
  }

  return {
    add(job) {
      queue.add(job);
      // A newcomer may belong to a lane that need not wait, or have no time to.
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
        await sleep(allowance.waitMs, never);
      }
    },
  };
}
