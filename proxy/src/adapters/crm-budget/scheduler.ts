import { setTimeout as wait } from 'node:timers/promises';
import { type Lane, lanes } from '#domain/crm/request-bucket.ts';
import type { RequestBudget, Urgency } from '#ports/crm/crm-budget.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { type Job, JobQueue } from './job-queue.ts';

/**
 * Sends jobs as the budget allows, waiting jobs of a kind together. Each lane has a queue of its own and waits for its
 * own share, so a job is refused only for what its lane has to wait.
 */
export interface Scheduler {
  add(job: Job): void;
  /** Takes back jobs that somebody else's request answers as well. */
  withdraw(jobs: readonly Job[]): void;
  /** Waits for one more request on behalf of work already under way; false if that is not before its deadline. */
  pass(urgency: Urgency): Promise<boolean>;
  /** How many jobs wait in each lane. */
  waiting(): Record<Lane, number>;
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
  const queues = Object.fromEntries(lanes.map((lane) => [lane, serve(lane)])) as Record<Lane, ReturnType<typeof serve>>;

  function serve(lane: Lane) {
    const queue = new JobQueue();
    let running = false;
    let nap = new AbortController();

    async function run(): Promise<void> {
      if (running) return;
      running = true;
      for (let next = queue.first(); next; next = queue.first()) await letOneGo(next);
      running = false;
    }

    async function letOneGo({ batcher }: Job): Promise<void> {
      for (const job of queue.takeHopeless(clock(), () => 0)) job.refuse('rate_limited');
      const refusal = batcher.refusal(lane);
      if (refusal) {
        for (const job of queue.takeAll(batcher)) job.refuse(refusal);
        return;
      }
      nap = new AbortController();
      const allowance = await budget.take(portal, lane);
      if (allowance.ok) {
        // Jobs that have arrived meanwhile go along.
        const jobs = queue.takeBatch();
        void jobs[0]?.batcher.run(jobs);
        return;
      }
      for (const job of queue.takeHopeless(clock(), allowance.waitFor)) job.refuse('rate_limited');
      if (queue.size > 0) await sleep(allowance.waitFor(1), undefined, { signal: nap.signal }).catch(() => {});
    }

    return {
      add(job: Job): void {
        if (!queue.add(job)) {
          job.refuse('rate_limited');
          return;
        }
        // A new job may have no time to wait.
        nap.abort();
        void run();
      },
      remove(jobs: ReadonlySet<Job>): void {
        queue.remove(jobs);
      },
      size: () => queue.size,
    };
  }

  return {
    add: (job) => queues[job.lane].add(job),
    withdraw(jobs) {
      const withdrawn = new Set(jobs);
      for (const lane of lanes) queues[lane].remove(withdrawn);
    },
    waiting: () => ({ click: queues.click.size(), open: queues.open.size(), backfill: queues.backfill.size() }),
    async pass({ lane, deadline }) {
      for (;;) {
        const allowance = await budget.take(portal, lane);
        if (allowance.ok) return true;
        const waitMs = allowance.waitFor(1);
        if (clock() + waitMs > deadline) return false;
        await sleep(waitMs);
      }
    },
  };
}
