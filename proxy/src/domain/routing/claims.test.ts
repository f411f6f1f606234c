import { expect, test } from 'vitest';
import { claimDueAt } from './claims.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

test.each([
  [0, minute],
  [minute, 10 * minute],
  [59 * minute, 60 * minute],
  [60 * minute, day],
  [day, 2 * day],
  [6.5 * day, 7 * day],
  [7 * day, null],
  [400 * day, null],
])('a claim of %d ms is judged again at %s', (age, due) => {
  const first = 1_700_000_000_000;
  expect(claimDueAt(first, first + age)).toBe(due === null ? null : first + due);
});
