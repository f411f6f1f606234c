import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSemaphore } from './concurrency.ts';

describe('a semaphore', () => {
  it('lets works in by their order, and never more at once than the limit, whoever fails or leaves', async () => {
    const work = fc.record({ fails: fc.boolean(), leaves: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), fc.array(work), async (s, limit, works) => {
        const inOrder = createSemaphore(limit);
        const started: number[] = [];
        let running = 0;
        let left = 0;
        const leaving = s.scheduleSequence(
          works.map(({ leaves }, index) => async () => {
            if (leaves) controllers[index]?.abort('left');
          }),
        );
        const controllers = works.map(() => new AbortController());
        const all = works.map(({ fails }, index) =>
          inOrder(
            async () => {
              started.push(index);
              running += 1;
              expect(running).toBeLessThanOrEqual(limit);
              await s.schedule(Promise.resolve());
              running -= 1;
              if (fails) throw new Error('failed');
            },
            (controllers[index] as AbortController).signal,
          ).catch((reason: unknown) => {
            if (reason === 'left') left += 1;
          }),
        );
        await s.waitFor(Promise.all(all));
        await leaving;
        expect(started).toEqual(started.toSorted((a, b) => a - b));
        expect(started.length + left).toBe(works.length);
        // Every place is free again.
        const after = Array.from({ length: limit }, () => inOrder(async () => 'ran'));
        expect(await Promise.all(after)).toEqual(after.map(() => 'ran'));
      }),
    );
  });
});
