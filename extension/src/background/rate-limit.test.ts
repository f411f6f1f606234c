import { expect, test } from 'vitest';
import { createRateLimit } from '#background/tabs.ts';

test('a tab is limited to so many requests in half a minute; other tabs are not affected', () => {
  let clock = 0;
  const allowed = createRateLimit(6, () => clock);
  expect(Array.from({ length: 7 }, () => allowed(1))).toEqual([true, true, true, true, true, true, false]);
  expect(allowed(2)).toBe(true);
  clock = 29_999;
  expect(allowed(1)).toBe(false);
  clock = 30_000;
  expect(allowed(1)).toBe(true);
});
