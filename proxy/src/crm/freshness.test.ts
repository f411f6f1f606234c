import { expect, test } from 'vitest';
import { isFresh, lifetimesOf } from './freshness.ts';

test.each([
  [0, true],
  [59_999, true],
  [60_000, false],
  [-1, false],
])('an answer %i ms old with a lifetime of 60 s is fresh: %s', (age, fresh) => {
  expect(isFresh(1_000_000 - age, 60_000, 1_000_000)).toBe(fresh);
});

test('a TTL of 0 keeps nothing fresh', () => {
  const { company, negative, owner } = lifetimesOf(0);
  expect([company, negative, owner].map((lifetime) => isFresh(5, lifetime, 5))).toEqual([false, false, false]);
});

test('negative answers and owners never outlive the TTL, nor their own bound', () => {
  expect(lifetimesOf(2)).toEqual({ company: 120_000, negative: 120_000, owner: 120_000 });
  expect(lifetimesOf(600)).toEqual({ company: 36_000_000, negative: 300_000, owner: 3_600_000 });
});
