import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyedMutex } from './concurrency.ts';

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
      const results = s.waitFor(Promise.allSettled(all));
      expect((await results).map(({ status }) => status)).toEqual(
        works.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
      );
      for (const order of Object.values(started)) expect(order).toEqual(order.toSorted((x, y) => x - y));
    }),
  );
});
