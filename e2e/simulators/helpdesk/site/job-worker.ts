import { setTimeout as delay } from 'node:timers/promises';

interface Job {
  /** Milliseconds by the machine's clock. */
  due: number;
  run(): Promise<void>;
}

/** The helpdesk's one job worker: runs jobs strictly one after the other, each not before it is due. */
export class JobWorker {
  private readonly closing: AbortSignal;
  private queued: Job[] = [];
  private working: Promise<void> | null = null;

  /** @param closing ends all waiting; jobs end themselves by it */
  constructor(closing: AbortSignal) {
    this.closing = closing;
  }

  /** Jobs that wait or run. */
  get pending(): number {
    return this.queued.length;
  }

  /** Resolves when nothing is left to do, or the site was closed. */
  async idle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  add(delayMs: number, run: () => Promise<void>): void {
    if (this.closing.aborted) return;
    this.queued.push({ due: performance.now() + delayMs, run });
    this.working ??= this.work().finally(() => {
      this.working = null;
    });
  }

  /** Waits; throws when the site is closed meanwhile. */
  async pause(milliseconds: number): Promise<void> {
    await delay(Math.max(0, milliseconds), undefined, { signal: this.closing });
  }

  private async work(): Promise<void> {
    try {
      for (let next = this.queued[0]; next !== undefined; next = this.queued[0]) {
        await this.pause(next.due - performance.now());
        await next.run();
        this.queued.shift();
      }
    } catch (error) {
      this.queued = [];
      if (!this.closing.aborted) throw error;
    }
  }
}
