import { expect, test } from 'vitest';
import { fakeClock } from '#testing/quiet.ts';
import { createRateLimit, memoryBy } from './memory.ts';

function setUp() {
  const clock = fakeClock();
  const limit = createRateLimit(memoryBy(clock), { burst: 3, perSecond: 2 }, clock);
  return {
    limit,
    pass: clock.advance,
    /** How many of so many attempts are let through. */
    attempts: (count: number, key = 'a') => Array.from({ length: count }, () => limit.take(key)).filter(Boolean).length,
  };
}

test('so many at once, and then so many a second', () => {
  const { attempts, pass } = setUp();
  // One key takes nothing from another.
  expect([attempts(10), attempts(10, 'b')]).toEqual([3, 3]);
  pass(499);
  expect(attempts(10)).toBe(0);
  pass(1);
  expect(attempts(10)).toBe(1);
  pass(3_600_000);
  expect(attempts(10)).toBe(3);
});

test('says in how many seconds it lets through again', () => {
  const clock = fakeClock();
  const limit = createRateLimit(memoryBy(clock), { burst: 1, perSecond: 1 / 3 }, clock);
  limit.take('a');
  expect(limit.waitSeconds('a')).toBe(3);
  clock.advance(1_001);
  expect(limit.waitSeconds('a')).toBe(2);
  clock.advance(1_999);
  expect(limit.take('a')).toBe(true);
});

test('a clock that is put back takes nothing away', () => {
  const { attempts, pass } = setUp();
  expect(attempts(2)).toBe(2);
  pass(-3_600_000);
  expect(attempts(10)).toBe(1);
  pass(500);
  expect(attempts(10)).toBe(1);
});
