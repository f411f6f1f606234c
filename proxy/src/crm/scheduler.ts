import { setTimeout as wait } from 'node:timers/promises';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Clock } from '#runtime/clock.ts';
import type { RequestBudget, Urgency } from './crm-budget.ts';
import { type Lane, lanes } from './request-bucket.ts';

/** A kind of question, several of which fit into one request. */
export interface Batcher {
  readonly maxPerRequest: number;
  /** Why such a question cannot be asked now; null if it can. */
  refusal(lane: Lane): CrmErrorCode | null;
  /** Asks all of them in one request and settles them. Never rejects. */
  run(jobs: readonly Job[]): Promise<void>;
}

/** A question waiting to be asked. */
export interface Job extends Urgency {
  readonly batcher: Batcher;
  readonly key: string;
  /** Settles it without asking. */
  refuse(code: CrmErrorCode): void;
}

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

/** More would wait longer than anybody does, and cost memory. */
const longest = 2_000;

/** The waiting jobs of one lane, in order of arrival. */
class JobQueue {
  #jobs: Job[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  /** False if the queue is full. */
  add(job: Job): boolean {
    if (this.#jobs.length >= longest) return false;
    this.#jobs.push(job);
    return true;
  }

  first(): Job | undefined {
    return this.#jobs[0];
  }

  remove(jobs: ReadonlySet<Job>): void {
    if (jobs.size > 0) this.#jobs = this.#jobs.filter((job) => !jobs.has(job));
  }

  /** Takes the jobs for the next request: the first one, and those behind it of its kind. */
  takeBatch(): Job[] {
    const first = this.first();
    if (!first) return [];
    const batch = this.#jobs.filter(({ batcher }) => batcher === first.batcher).slice(0, first.batcher.maxPerRequest);
    this.remove(new Set(batch));
    return batch;
  }

  /** Takes every job of one kind. */
  takeAll(batcher: Batcher): Job[] {
    return this.#take((job) => job.batcher === batcher);
  }

  /**
   * Takes the jobs that cannot be sent before their deadline if so many requests take at least that long (milliseconds).
   * Never overestimates how many are ahead of a job.
   */
  takeHopeless(now: number, waitFor: (requests: number) => number): Job[] {
    const ahead = new Map<Batcher, number>();
    return this.#take(({ batcher, deadline }) => {
      const before = ahead.get(batcher) ?? 0;
      if (now + waitFor(1 + Math.floor(before / batcher.maxPerRequest)) > deadline) return true;
      ahead.set(batcher, before + 1);
      return false;
    });
  }

  #take(wanted: (job: Job) => boolean): Job[] {
    const taken = this.#jobs.filter(wanted);
    this.remove(new Set(taken));
    return taken;
  }
}
