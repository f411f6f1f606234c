import type { CrmErrorCode } from '@deskside/shared/status';
import { type Lane, lanes } from '#domain/crm/request-bucket.ts';
import type { Urgency } from '#ports/crm-budget.ts';

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

/** Waiting jobs by lane, each lane in order of arrival. */
export class JobQueue {
  readonly #lanes: Record<Lane, Job[]> = { click: [], open: [], backfill: [] };

  get size(): number {
    return lanes.reduce((sum, lane) => sum + this.#lanes[lane].length, 0);
  }

  add(job: Job): void {
    this.#lanes[job.lane].push(job);
  }

  first(): Job | undefined {
    for (const lane of lanes) if (this.#lanes[lane][0]) return this.#lanes[lane][0];
    return undefined;
  }

  /** Raises a waiting job to the lane and deadline of a more urgent caller. */
  hurry(job: Job, { lane, deadline }: Urgency): void {
    const at = this.#lanes[job.lane].indexOf(job);
    if (at === -1) return;
    job.deadline = Math.max(job.deadline, deadline);
    if (lanes.indexOf(lane) >= lanes.indexOf(job.lane)) return;
    this.#lanes[job.lane].splice(at, 1);
    job.lane = lane;
    this.add(job);
  }

  /** Takes the jobs for the next request: the first one, and those behind it in its lane and of its kind. */
  takeBatch(): Job[] {
    const first = this.first();
    if (!first) return [];
    const batch = this.#lanes[first.lane]
      .filter(({ batcher }) => batcher === first.batcher)
      .slice(0, first.batcher.maxPerRequest);
    this.#remove(new Set(batch));
    return batch;
  }

  /** Takes every job of one kind and lane. */
  takeAll(batcher: Batcher, lane: Lane): Job[] {
    const all = this.#lanes[lane].filter((job) => job.batcher === batcher);
    this.#remove(new Set(all));
    return all;
  }

  /**
   * Takes the jobs that cannot be sent before their deadline if the next request goes out at `firstAt` and the others
   * `intervalMs` apart. Never overestimates how many are ahead of a job.
   */
  takeHopeless(firstAt: number, intervalMs: number): Job[] {
    const hopeless = new Set<Job>();
    let requests = 0;
    for (const lane of lanes) {
      const ahead = new Map<Batcher, number>();
      for (const job of this.#lanes[lane]) {
        const before = ahead.get(job.batcher) ?? 0;
        const sentAt = firstAt + (requests + Math.floor(before / job.batcher.maxPerRequest)) * intervalMs;
        if (sentAt > job.deadline) hopeless.add(job);
        else ahead.set(job.batcher, before + 1);
      }
      for (const [batcher, count] of ahead) requests += Math.ceil(count / batcher.maxPerRequest);
    }
    this.#remove(hopeless);
    return [...hopeless];
  }

  #remove(jobs: ReadonlySet<Job>): void {
    if (jobs.size === 0) return;
    for (const lane of lanes) this.#lanes[lane] = this.#lanes[lane].filter((job) => !jobs.has(job));
  }
}
