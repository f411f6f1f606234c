import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Lane, lanes, levelsIn, openBudget } from '#crm/budget.ts';
import { silent } from '#testing/quiet.ts';
import * as leases from './leases.ts';
import { longestLeaseMs } from './leases.ts';
import * as notes from './notes.ts';
import type { Store } from './store.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const limits = { capacity: 40, intervalMs: 556 };

/** Tests of the leases' and the budget's contract for any engine. `open` opens the same store each time. */
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
  /** That of the portal of this test, or of another. */
  const budget = (which = 0, portal = key) =>
    openBudget(levelsIn((stores[which] as Store).db), limits, { portal, clock: () => now, logger: silent });

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

  it('no leases at all are taken and given back at once', async () => {
    expect(await leases.take(storeOf(), [], 'a', 1_000)).toEqual(new Set());
    await leases.release(storeOf(), [], 'a');
  });

  async function waitOf(lane: Lane): Promise<number> {
    const allowance = await budget().take(lane);
    return allowance.ok ? 0 : allowance.waitFor(1);
  }

  async function takeAll(lane: Lane): Promise<number> {
    for (let taken = 0; ; taken += 1) if (!(await budget(taken % 2).take(lane)).ok) return taken;
  }

  it('the bucket is shared; a lane has its own part of it and uses what the others leave', async () => {
    expect(await takeAll('click')).toBe(24 + 5 + 3);
    expect(await takeAll('open')).toBe(5);
    expect(await takeAll('backfill')).toBe(3);
  });

  it('what is left of it is known to all, and looking takes nothing', async () => {
    expect(await budget().left()).toEqual({ click: 24, open: 10, backfill: 6 });
    await budget().take('click');
    expect(await budget(1).left()).toEqual({ click: 23, open: 10, backfill: 6 });
    await budget().fill();
    expect(await budget(1).left()).toEqual({ click: 0, open: 0, backfill: 0 });
    now += Math.ceil(limits.intervalMs / 0.6);
    expect(await budget().left()).toEqual({ click: 1, open: 0, backfill: 0 });
  });

  it('a lane that has used up its share gets more at the steady rate of that share', async () => {
    await budget().fill();
    const everyMs = Math.ceil(limits.intervalMs / 0.6);
    expect(await waitOf('click')).toBe(everyMs);
    now += everyMs - 1;
    expect((await budget().take('click')).ok).toBe(false);
    now += 1;
    expect((await budget(1).take('click')).ok).toBe(true);
    expect((await budget().take('click')).ok).toBe(false);
    expect(await waitOf('open')).toBe(Math.ceil(limits.intervalMs / 0.25) - everyMs);
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
            const lane = lanes[(index + tries) % lanes.length] ?? 'click';
            if (!(await budget(index % 2).take(lane)).ok) continue;
            level = Math.max(0, level - ((now - at) / 1_000) * 2) + 1;
            at = now;
            expect(level).toBeLessThanOrEqual(50);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('one portal does not use up what another takes', async () => {
    await takeAll('click');
    expect((await budget(0, `other ${key}`).take('click')).ok).toBe(true);
  });

  it('the portal that says it is full is believed, and by all', async () => {
    await budget().fill();
    for (const lane of lanes) expect((await budget(1).take(lane)).ok).toBe(false);
    expect(await waitOf('click')).toBe(Math.ceil(limits.intervalMs / 0.6));
  });

  it('a level from before the clock was put back counts as full, and drains from there', async () => {
    await budget().fill();
    now -= 24 * 3_600_000;
    expect(await waitOf('click')).toBe(Math.ceil(limits.intervalMs / 0.6));
    now += Math.ceil(limits.intervalMs / 0.6);
    expect((await budget(1).take('click')).ok).toBe(true);
  });
}
