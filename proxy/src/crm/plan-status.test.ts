import { expect, test } from 'vitest';
import { planStatus } from './plan-status.ts';

const now = Date.parse('2026-03-10T05:00:00Z');
const day = 86_400_000;

test.each([
  [now - 1, 'expired', -1],
  [now - day, 'expired', -1],
  [now - day - 1, 'expired', -2],
  [now, 'expiring_soon', 0],
  [now + day - 1, 'expiring_soon', 0],
  [now + 30 * day - 1, 'expiring_soon', 29],
  [now + 30 * day, 'active', 30],
  [Date.parse('2020-01-20T12:42:37+03:00'), 'expired', -2241],
])('expiry at %i: %s, %i days', (expiresAt, status, left) => {
  expect(planStatus(expiresAt, now)).toEqual({ shopplan_status: status, shopplan_days_left: left });
});

test('without an expiry nothing is claimed', () => expect(planStatus(null, now)).toEqual({}));
