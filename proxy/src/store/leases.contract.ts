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
  it('of several reports about one anchor one counts, until it has been quiet for a while', async () => {
    const report = { anchor: key, extension: '0.1.0', helpdesk: '1.28.1', at: noon };
    const note = (which: number, at: number, changes = {}) =>
      notes.noteMissingAnchor(storeOf(which).db, { ...report, ...changes, at }, 1_000);
    const told = await Promise.all(Array.from({ length: 10 }, (_, i) => note(i % 2, noon)));
    expect(told.filter(Boolean)).toHaveLength(1);
    const last = { ...report, extension: '0.2.0', helpdesk: null, at: noon + 1_000 };
    expect([await note(1, noon + 999, last), await note(1, last.at, last)]).toEqual([false, true]);
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

  it('a lease ends by itself on its millisecond, or when its owner and nobody else gives it back', async () => {
    const takeBy = async (owner: string, ms = 1_000) =>
      (await leases.take(storeOf(owner === 'a' ? 0 : 1), [key], owner, ms)).has(key);
    expect(await takeBy('a')).toBe(true);
    now += 999;
    expect([await takeBy('b'), await takeBy('a', 1)]).toEqual([false, true]);
    now += 1;
    expect(await takeBy('b')).toBe(true);
    await leases.release(storeOf(), [key], 'a');
    expect(await takeBy('a')).toBe(false);
    for (const _ of [1, 2]) await leases.release(storeOf(1), [key], 'b');
    expect(await takeBy('a')).toBe(true);
    // One from before the clock was put back keeps nobody out.
    now -= longestLeaseMs;
    expect(await takeBy('b')).toBe(true);
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

  const [intervalMs, capacity] = [556, 40];
  const take = (which: number, portal = key) =>
    pour(storeOf(which).db, portal, intervalMs, now + (capacity - 1) * intervalMs, now);

  it('the level of a bucket is shared, and of a portal’s own; one that is set is set for all', async () => {
    let taken = 0;
    while (await take(taken % 2)) taken += 1;
    expect(taken).toBe(capacity);
    const full = now + capacity * intervalMs;
    expect(await emptyAt(storeOf(1).db, key)).toBe(full);
    expect([await take(0, `other ${key}`), await emptyAt(storeOf().db, `new ${key}`)]).toEqual([true, undefined]);
    now += intervalMs - 1;
    expect(await take(1)).toBe(false);
    now += 1;
    expect(await take(1)).toBe(true);
    await setEmptyAt(storeOf(0).db, `new ${key}`, now + capacity * intervalMs);
    expect(await take(1, `new ${key}`)).toBe(false);
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
            if (!(await take(index % 2))) break;
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
