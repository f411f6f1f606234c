import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Store } from './database.ts';
import * as leases from './leases.ts';
import { longestLeaseMs } from './leases.ts';
import * as notes from './notes.ts';
import { emptyAt, pour, setEmptyAt } from './notes.ts';

const noon = Date.UTC(2026, 10, 20, 12);

/** Tests of the contract of leases and of the CRM's budget for any engine. `open` opens the same store each time. */
export function describeLeases(open: (clock: () => number) => Promise<Store>): void {
  let now: number;
  let stores: Store[];
  let count = 0;
  let key: string;
  // Every test has keys of its own, so that they can share the connections.
  beforeAll(async () => {
    stores = [await open(() => now), await open(() => now)];
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));
  beforeEach(() => {
    now = noon;
    count += 1;
    key = `key ${count}`;
  });

  const storeOf = (which = 0) => stores[which] as Store;
  it('a lease is given to exactly one of many who ask for it at once, over several connections', async () => {
    const asking = Array.from({ length: 50 }, (_, i) => leases.take(storeOf(i % 2), [key], `owner ${i}`, 1_000));
    const won = (await Promise.all(asking)).filter((taken) => taken.has(key));
    expect(won).toHaveLength(1);
  });

  it('of several reports about one anchor one counts, until it has been quiet for a while', async () => {
    const report = { anchor: key, extension: '0.1.0', helpdesk: '1.28.1', at: noon };
    const told = await Promise.all(
      Array.from({ length: 10 }, (_, i) => notes.noteMissingAnchor(storeOf(i % 2).db, report, 1_000)),
    );
    expect(told.filter(Boolean)).toHaveLength(1);
    expect(await notes.noteMissingAnchor(storeOf(1).db, { ...report, extension: '0.2.0', at: noon + 999 }, 1_000)).toBe(
      false,
    );
    const last = { ...report, extension: '0.2.0', helpdesk: null, at: noon + 1_000 };
    expect(await notes.noteMissingAnchor(storeOf(1).db, last, 1_000)).toBe(true);
    expect((await notes.missingAnchors(storeOf().db)).filter(({ anchor }) => anchor === key)).toEqual([last]);
  });

  it('crossed takings of several leases divide them, without loss and without waiting for each other', async () => {
    const keys = Array.from({ length: 10 }, (_, i) => `${key} ${i}`);
    const asking = Array.from({ length: 20 }, (_, i) =>
      leases.take(storeOf(i % 2), i % 2 ? keys : keys.toReversed(), `owner ${i}`, 1_000),
    );
    const taken = (await Promise.all(asking)).flatMap((set) => [...set]);
    expect(taken.toSorted()).toEqual(keys.toSorted());
  });

  it('a lease ends by itself on its millisecond, and its owner may take it again before', async () => {
    expect(await leases.take(storeOf(), [key], 'a', 1_000)).toEqual(new Set([key]));
    now += 999;
    expect(await leases.take(storeOf(1), [key], 'b', 1_000)).toEqual(new Set());
    expect(await leases.take(storeOf(), [key], 'a', 1)).toEqual(new Set([key]));
    now += 1;
    expect(await leases.take(storeOf(1), [key], 'b', 1_000)).toEqual(new Set([key]));
  });

  it('a lease that is given back is free, and nobody can give back what another holds', async () => {
    await leases.take(storeOf(), [key], 'a', 1_000);
    await leases.release(storeOf(1), [key], 'b');
    expect(await leases.take(storeOf(1), [key], 'b', 1_000)).toEqual(new Set());
    await leases.release(storeOf(), [key], 'a');
    await leases.release(storeOf(), [key], 'a');
    expect(await leases.take(storeOf(1), [key], 'b', 1_000)).toEqual(new Set([key]));
  });

  it('leases that processes left behind are deleted, others not', async () => {
    now += longestLeaseMs;
    await leases.deleteExpired(storeOf(), 1_000);
    const keys = [`${key} a`, `${key} b`];
    await leases.take(storeOf(), keys, 'dead', 1_000);
    now += 1_000;
    await leases.take(storeOf(), [key], 'alive', 1_000);
    expect(await leases.deleteExpired(storeOf(1), 1)).toBe(1);
    expect(await leases.deleteExpired(storeOf(1), 9)).toBe(1);
    expect(await leases.deleteExpired(storeOf(1), 9)).toBe(0);
    expect(await leases.take(storeOf(1), [key, ...keys], 'other', 1_000)).toEqual(new Set(keys));
  });

  it('a lease from before the clock was put back keeps nobody out', async () => {
    await leases.take(storeOf(), [key], 'a', 1_000);
    now -= longestLeaseMs;
    expect(await leases.take(storeOf(1), [key], 'b', 1_000)).toEqual(new Set([key]));
  });

  const [intervalMs, capacity] = [556, 40];
  const fill = (which: number, portal = key) => setEmptyAt(storeOf(which).db, portal, now + capacity * intervalMs);
  const take = (which: number, portal = key) =>
    pour(storeOf(which).db, portal, intervalMs, now + (capacity - 1) * intervalMs, now);

  it('the level of a bucket is shared, and of a portal’s own', async () => {
    let taken = 0;
    while (await take(taken % 2)) taken += 1;
    expect(taken).toBe(capacity);
    expect(await emptyAt(storeOf(1).db, key)).toBe(now + capacity * intervalMs);
    expect(await take(0, `other ${key}`)).toBe(true);
    now += intervalMs - 1;
    expect(await take(1)).toBe(false);
    now += 1;
    expect(await take(1)).toBe(true);
  });

  it('a bucket that is set is set for all', async () => {
    expect(await emptyAt(storeOf().db, key)).toBeUndefined();
    await fill(0);
    expect(await take(1)).toBe(false);
  });

  it('never lets more through than the published limits, whoever asks and however', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3_000), { minLength: 1, maxLength: 30 }), async (pauses) => {
        count += 1;
        key = `portal ${count}`;
        now += 60_000;
        let [level, at] = [0, now];
        for (const [index, pause] of pauses.entries()) {
          now += pause;
          for (let tries = 0; tries < 12; tries += 1) {
            if (!(await take(index % 2))) continue;
            level = Math.max(0, level - ((now - at) / 1_000) * 2) + 1;
            at = now;
            expect(level).toBeLessThanOrEqual(50);
          }
        }
      }),
      { numRuns: 10 },
    );
  });
}
