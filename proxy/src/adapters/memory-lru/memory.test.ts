import { collectGarbage } from '@deskside/testing/collect-garbage';
import { expect, test } from 'vitest';
import { lruMemory } from './memory.ts';

test('what has expired is let go of, whether or not anybody asks for it again', async () => {
  const area = lruMemory.area<object>({ ttlMs: 20, max: 10 });
  const keep = () => {
    const value = { profile: 'of a customer' };
    area.set('a', value);
    return new WeakRef(value);
  };
  const value = keep();
  const isThere = () => {
    collectGarbage();
    return value.deref() !== undefined;
  };
  expect(isThere()).toBe(true);
  await expect.poll(isThere).toBe(false);
});
