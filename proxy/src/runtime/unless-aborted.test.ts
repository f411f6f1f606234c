import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unlessAborted } from './concurrency.ts';

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

test('who waits gets what comes', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve('done'), signal)).toBe('done');
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
});
