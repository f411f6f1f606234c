import { expect, onTestFinished, test, vi } from 'vitest';
import { silent } from '#runtime/testing/quiet.ts';
import { createDuties, createWithLock, take } from './leases.ts';
import { memoryStore } from './testing/memory-store.ts';

/** Never expires, however busy the machine is. */
const longLeaseMs = 3_600_000;

/** Processes on one store; `cutOff`: it no longer reaches the store, as if it were killed. */
function replicas(count: number, leaseMs = longLeaseMs) {
  const { db } = memoryStore();
  const stopped = new AbortController();
  const all = Array.from({ length: count }, () => {
    const self = { isCutOff: false, runs: { sweep: 0, clean: 0 } };
    const mayAsk = () => {
      if (self.isCutOff) throw new Error('cut off');
      return Date.now();
    };
    const duties = createDuties({ db, clock: mayAsk, logger: silent, times: { lookEveryMs: 10, leaseMs } });
    const ended = (['sweep', 'clean'] as const).map(
      (name) =>
        duties.regularly(
          {
            name,
            everyMs: name === 'sweep' ? 5 : 3_600_000,
            logger: silent,
            stopped: stopped.signal,
            faultOf: () => null,
          },
          async () => {
            self.runs[name] += 1;
          },
        ).ended,
    );
    onTestFinished(async () => {
      stopped.abort();
      await Promise.all([duties.stop(), ...ended]);
    });
    return Object.assign(self, duties);
  });
  return all as [(typeof all)[0], (typeof all)[0]];
}

test('of several processes one does the work, also what it does seldom, and hands over when it stops', async () => {
  const [first, second] = replicas(2);
  await new Promise((resolve) => setImmediate(resolve));
  // Nothing before it has begun to take duties.
  expect(first.runs).toEqual({ sweep: 0, clean: 0 });
  first.start();
  await expect.poll(() => first.runs.sweep).toBeGreaterThan(2);
  second.start();
  const before = first.runs.sweep;
  await expect.poll(() => first.runs.sweep).toBeGreaterThan(before + 10);
  expect([first.runs.clean, second.runs]).toEqual([1, { sweep: 0, clean: 0 }]);
  await first.stop();
  const left = { ...first.runs };
  await expect.poll(() => second.runs.clean).toBe(1);
  await expect.poll(() => second.runs.sweep).toBeGreaterThan(2);
  expect(first.runs).toEqual(left);
});

test('one that no longer reaches the store is replaced, and by then has stopped', async () => {
  const [first, second] = replicas(2, 60);
  first.start();
  await expect.poll(() => first.runs.sweep).toBeGreaterThan(0);
  first.isCutOff = true;
  second.start();
  await expect.poll(() => second.runs.clean).toBe(1);
  const left = { ...first.runs };
  await expect.poll(() => second.runs.sweep).toBeGreaterThan(10);
  expect(first.runs).toEqual(left);
});

test('work on one thing never overlaps, in one process or in two, whoever fails; work on another thing does', async () => {
  const store = memoryStore();
  const [withLock, another] = [createWithLock(store), createWithLock(store)];
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  const failing = expect(withLock('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await Promise.all([failing, ...Array.from({ length: 20 }, (_, i) => (i % 2 ? withLock : another)('one', work))]);
  expect(most).toBe(1);
  await Promise.all([withLock('one', work), withLock('two', work)]);
  expect(most).toBe(2);
  expect(store.rows.leases.size).toBe(0);
});

test('work that lasts keeps what it holds, and lets it go at its end', async () => {
  let now = 1_000;
  const store = memoryStore(() => now);
  const endOf = () => store.database.prepare<[], number>('select until from leases').pluck().get() ?? 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await createWithLock(store)('one', async () => {
    for (let third = 0; third < 6; third += 1) {
      now += 4_000;
      const before = endOf();
      vi.advanceTimersByTime(4_000);
      await expect.poll(endOf).toBeGreaterThan(before);
    }
    expect(await take(store, ['one'], 'another', 1_000)).toEqual(new Set());
  });
  expect(vi.getTimerCount()).toBe(0);
  expect(await take(store, ['one'], 'another', 1_000)).toEqual(new Set(['one']));
});
