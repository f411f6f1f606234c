import { expect, test } from 'vitest';
import { createRecentCrm } from './recent-crm.ts';

const minute = 60_000;

test('the last hour is shown, in stretches of five minutes, with what failed and how long it took', () => {
  let now = 0;
  const recent = createRecentCrm(() => now);
  expect(recent.shown()).toMatchObject({
    last_hour: { requests: 0, failed: 0, p50_ms: null, p95_ms: null },
    errors: [],
  });
  recent.note({ outcome: 'ok', seconds: 9 });
  now += 61 * minute;
  for (let nth = 1; nth <= 19; nth += 1) recent.note({ outcome: 'ok', seconds: nth / 100 });
  recent.note({ outcome: 'timeout', seconds: 15 });
  now += minute;
  expect([now - 2 * minute, now].map(recent.failedSince)).toEqual([true, false]);
  const { last_hour, stretches, errors } = recent.shown();
  expect(last_hour).toMatchObject({ requests: 20, failed: 1, p50_ms: 100, p95_ms: 190 });
  expect(stretches).toHaveLength(12);
  expect(stretches.map(({ requests }) => requests)).toEqual([...Array(11).fill(0), 20]);
  expect(errors).toEqual([{ code: 'timeout', requests: 1 }]);
  now += 60 * minute;
  expect(recent.shown().last_hour.requests).toBe(0);
});

test('no flood makes it grow without end', () => {
  const recent = createRecentCrm(() => 0);
  for (let nth = 0; nth < 50_000; nth += 1) recent.note({ outcome: 'ok', seconds: 0.1 });
  expect(recent.shown().last_hour.requests).toBeLessThanOrEqual(20_000);
});

test('what is shown begins an hour ago, or where the process did', () => {
  let now = 5 * minute;
  const recent = createRecentCrm(() => now);
  now += 10 * minute;
  expect(recent.shown().since).toBe('1970-01-01T00:05:00.000Z');
  now += 60 * minute;
  expect(recent.shown().since).toBe('1970-01-01T00:15:00.000Z');
});
