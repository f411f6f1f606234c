import { expect, test } from 'vitest';
import { stampBefore } from './stamp.ts';

test.each([
  ['2026-11-21 05:03:45.920547', 300_000, '2026-11-21 04:58:45.920547'],
  ['2026-11-21 05:03:45', 0, '2026-11-21 05:03:45'],
  ['2026-01-01 00:00:00.5', 1_000, '2025-12-31 23:59:59.5'],
  ['2026-03-01 01:00:00.000001', 3 * 3_600_000, '2026-02-28 22:00:00.000001'],
  ['', 1_000, ''],
  ['yesterday', 1_000, 'yesterday'],
])('%s less %d ms is %s', (stamp, ms, expected) => {
  expect(stampBefore(stamp, ms)).toBe(expected);
});
