import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds without another call after which calls count as one batch. */
const quietMs = 50;

interface Batch {
  calls: number;
  over: Promise<void>;
}

/**
 * Lets calls that come close together overlap, as they do on a site with several workers. Gives each its place in the
 * batch, the first one 0, when no further call has come for a moment.
 */
export class Overlap {
  private readonly batches = new Map<string, Batch>();

  async join(key: string): Promise<number> {
    const known = this.batches.get(key);
    if (known !== undefined) {
      const place = known.calls;
      known.calls += 1;
      await known.over;
      return place;
    }
    const batch: Batch = { calls: 1, over: Promise.resolve() };
    batch.over = this.quiet(key, batch);
    this.batches.set(key, batch);
    await batch.over;
    return 0;
  }

  private async quiet(key: string, batch: Batch): Promise<void> {
    for (let seen = 0; seen < batch.calls; ) {
      seen = batch.calls;
      await delay(quietMs);
      // After a pause of the whole process timers come before the calls that arrived meanwhile: let these in first.
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    this.batches.delete(key);
  }
}
