import type { CrmErrorCode } from '@deskside/shared/status';
import type { Lane } from '#domain/crm/request-bucket.ts';
import type { Urgency } from '#ports/crm/crm-budget.ts';

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

/** More would wait longer than anybody does, and cost memory. */
const longest = 2_000;

/** The waiting jobs of one lane, in order of arrival. */
export class JobQueue {
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
