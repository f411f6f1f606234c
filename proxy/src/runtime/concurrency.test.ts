import { setImmediate as tick } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFairQueue, createKeyedMutex, unlessAborted } from './concurrency.ts';

const never = new AbortController().signal;
const usual = { slots: 2, slotsPerKey: 2, waiting: 1_000, waitingPerKey: 100, patienceMs: 60_000 };

/** A queue whose works end when they are told to; `started` in the order in which they got a slot. */
function setUp(limits: Partial<typeof usual> = {}) {
  const queue = createFairQueue({ ...usual, ...limits });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, signal = never) =>
    queue.run(key, signal, () => {
      started.push(key);
      return new Promise<string>((resolve) => ends.push(() => resolve(key)));
    });
  /** Ends the oldest running work, and waits until another one has taken its place. */
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, started, endOne };
}

test('who has many works waiting delays nobody who has one', async () => {
  const { add, started, endOne } = setUp({ slots: 1 });
  const all = [...Array.from({ length: 50 }, () => add('many')), add('one'), add('another')];
  await endOne();
  await endOne();
  await endOne();
  await endOne();
  expect(started).toEqual(['many', 'many', 'one', 'another', 'many']);
  for (let i = 0; i < 50; i += 1) await endOne();
  expect(await Promise.all(all)).toHaveLength(52);
});

test('a key has its share of the slots and no more, though others stay free', async () => {
  const { add, started, endOne } = setUp({ slots: 3, slotsPerKey: 2 });
  const all = [add('a'), add('a'), add('a'), add('b')];
  expect(started).toEqual(['a', 'a', 'b']);
  await endOne();
  expect(started).toEqual(['a', 'a', 'b', 'a']);
  for (let i = 0; i < 3; i += 1) await endOne();
  await Promise.all(all);
});

describe('nobody waits without end', () => {
  test.each([
    ['in one line', { waitingPerKey: 1 }, 'a'],
    ['in all', { waiting: 1 }, 'b'],
  ])('too many %s: rate_limited, and when to come back', async (_, limits, key) => {
    const { add, endOne } = setUp({ slots: 1, ...limits });
    const all = [add('a'), add('a')];
    await expect(add(key)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    // Nothing is left to give up waiting while another test runs.
    for (const _ of all) await endOne();
    await Promise.all(all);
  });

  test('too long: the same, and the slot goes to the next', async () => {
    const { add } = setUp({ slots: 1, patienceMs: 20 });
    void add('a');
    await expect(add('a')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('who leaves takes no slot', async () => {
    const { add, started, endOne } = setUp({ slots: 1 });
    const left = new AbortController();
    void add('a');
    const leaving = add('b', left.signal);
    void add('c');
    left.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    await endOne();
    expect(started).toEqual(['a', 'c']);
  });
});

test('whatever comes, slots are never exceeded and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean(), leaves: fc.boolean() })),
      async (works) => {
        const queue = createFairQueue({ ...usual, slots: 3, slotsPerKey: 2 });
        let inside = 0;
        let most = 0;
        const work = (fails: boolean) => async () => {
          inside += 1;
          most = Math.max(most, inside);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
          if (fails) throw new Error('fails');
        };
        const running = works.map(({ key, fails, leaves }) => {
          const gone = new AbortController();
          if (leaves) setImmediate(() => gone.abort(new Error('gone')));
          return queue.run(key, gone.signal, work(fails)).catch(() => {});
        });
        await Promise.all(running);
        expect(most).toBeLessThanOrEqual(3);
        expect(inside).toBe(0);
        // All slots are free again.
        await Promise.all(['x', 'y', 'z'].map((key) => queue.run(key, never, work(false))));
      },
    ),
    { numRuns: 50 },
  );
});

test('works on one key never overlap and keep their order, whoever fails; works on different keys do not wait', async () => {
  const work = fc.record({ key: fc.constantFrom('a', 'b'), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(work), async (s, works) => {
      const mutex = createKeyedMutex();
      const started: Record<string, number[]> = { a: [], b: [] };
      const inside = new Set<string>();
      const all = works.map(({ key, fails }, index) =>
        mutex(key, async () => {
          expect(inside).not.toContain(key);
          inside.add(key);
          started[key]?.push(index);
          await s.schedule(Promise.resolve());
          inside.delete(key);
          if (fails) throw new Error('failed');
        }),
      );
      // Nothing has ended yet: the first of each key is at work.
      expect(inside).toEqual(new Set(works.map(({ key }) => key)));
      const results = await s.waitFor(Promise.allSettled(all));
      expect(results.map(({ status }) => status === 'rejected')).toEqual(works.map(({ fails }) => fails));
      for (const order of Object.values(started)) expect(order).toEqual(order.toSorted((x, y) => x - y));
    }),
  );
});

test.each(['before', 'meanwhile'])('who gave up %s waits no longer, and a later failure is nobody’s', async (when) => {
  const work = Promise.withResolvers<string>();
  const giveUp = new AbortController();
  if (when === 'before') giveUp.abort('enough');
  const given = unlessAborted(work.promise, giveUp.signal);
  giveUp.abort('enough');
  await expect(given).rejects.toBe('enough');
  work.reject(new Error('failed'));
  // An error that nobody takes would end the process, and fails this run.
  await tick();
});
