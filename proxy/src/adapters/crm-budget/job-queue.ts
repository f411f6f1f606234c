import type { CrmErrorCode } from '@deskside/shared/status';
import { type Lane, lanes } from '../../domain/request-bucket.ts';
import type { Urgency } from '../../ports/crm-budget.ts';

/** A kind of question, of which several fit into one request. */
export interface Errand {
  readonly most: number;
  /** Why such a question cannot be asked now; null where it can. */
  refusal(lane: Lane): CrmErrorCode | null;
  /** Asks all of them in one request and settles them. Never rejects. */
  run(jobs: readonly Job[]): Promise<void>;
}

/** One question that waits for its turn. */
export interface Job extends Urgency {
  readonly errand: Errand;
  readonly key: string;
  /** Settles it without asking. */
  refuse(code: CrmErrorCode): void;
}

/** What waits, lane by lane, each in the order in which it came. */
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

  /** Raises a job that still waits to the lane and deadline of somebody in a greater hurry. */
  hurry(job: Job, { lane, deadline }: Urgency): void {
    const at = this.#lanes[job.lane].indexOf(job);
    if (at === -1) return;
    job.deadline = Math.max(job.deadline, deadline);
    if (lanes.indexOf(lane) >= lanes.indexOf(job.lane)) return;
    this.#lanes[job.lane].splice(at, 1);
    job.lane = lane;
    this.add(job);
  }

  /** Takes what is asked in the next request: the first job and those of its lane and errand behind it. */
  takeBatch(): Job[] {
    const first = this.first();
    if (!first) return [];
    const batch = this.#lanes[first.lane].filter(({ errand }) => errand === first.errand).slice(0, first.errand.most);
    this.#remove(new Set(batch));
    return batch;
  }

  /** Takes every job of one errand and lane. */
  takeAll(errand: Errand, lane: Lane): Job[] {
    const all = this.#lanes[lane].filter((job) => job.errand === errand);
    this.#remove(new Set(all));
    return all;
  }

  /**
   * Takes the jobs that cannot be sent before their deadline, if the next request goes out at `firstAt` and the others
   * `intervalMs` apart. Reckons for each with no more before it than really is.
   */
  takeHopeless(firstAt: number, intervalMs: number): Job[] {
    const hopeless = new Set<Job>();
    let requests = 0;
    for (const lane of lanes) {
      const ahead = new Map<Errand, number>();
      for (const job of this.#lanes[lane]) {
        const before = ahead.get(job.errand) ?? 0;
        const sentAt = firstAt + (requests + Math.floor(before / job.errand.most)) * intervalMs;
        if (sentAt > job.deadline) hopeless.add(job);
        else ahead.set(job.errand, before + 1);
      }
      for (const [errand, count] of ahead) requests += Math.ceil(count / errand.most);
    }
    this.#remove(hopeless);
    return [...hopeless];
  }

  #remove(jobs: ReadonlySet<Job>): void {
    if (jobs.size === 0) return;
    for (const lane of lanes) this.#lanes[lane] = this.#lanes[lane].filter((job) => !jobs.has(job));
  }
}
