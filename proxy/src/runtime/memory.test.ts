import { collectGarbage } from '@deskside/testing/collect-garbage';
import { describe, expect, test } from 'vitest';
import { createRateLimit, lruMemory, memoryBy } from './memory.ts';
import { fakeClock } from './testing/quiet.ts';

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

describe('what is read where it is not known', () => {
  const never = new AbortController().signal;

  function setUp() {
    const clock = fakeClock();
    const readings = memoryBy(clock).readings<string>({ ttlMs: 10_000, max: 100 });
    const sent: { key: string; answer: PromiseWithResolvers<string> }[] = [];
    const read = (key: string) => () => {
      const answer = Promise.withResolvers<string>();
      sent.push({ key, answer });
      return answer.promise;
    };
    const ask = (key: string, signal = never) => readings.get(key, read(key), signal);
    const known = async (key: string, value: string) => {
      const asked = ask(key);
      sent.at(-1)?.answer.resolve(value);
      await asked;
    };
    return { ask, clock, known, peek: (key: string) => readings.peek(key, read(key)), readings, sent };
  }

  test('equal questions at the same moment are one read, other ones are not', async () => {
    const { ask, sent } = setUp();
    const all = [...Array.from({ length: 32 }, () => ask('a')), ask('b')];
    expect(sent.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const { key, answer } of sent) answer.resolve(key);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['a', 'b']));
  });

  test('it is known for its time, and then read again; so is what has failed', async () => {
    const { ask, clock, known, sent } = setUp();
    const first = ask('a');
    sent[0]?.answer.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await known('a', 'up');
    clock.advance(7_000);
    expect([await ask('a'), sent.length]).toEqual(['up', 2]);
    clock.advance(3_000);
    const again = ask('a');
    sent[2]?.answer.resolve('new');
    expect(await again).toBe('new');
  });

  test('a caller who leaves drops out alone', async () => {
    const { ask, sent } = setUp();
    const one = new AbortController();
    const [first, second] = [ask('a', one.signal), ask('a')];
    one.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    sent[0]?.answer.resolve('up');
    expect([await second, sent.length]).toEqual(['up', 1]);
  });

  test('shortly before it expires it is read anew, once, and nobody waits', async () => {
    const { ask, clock, known, peek, sent } = setUp();
    await known('a', 'old');
    clock.advance(9_000);
    expect([peek('a'), await ask('a'), sent.length]).toEqual(['old', 'old', 2]);
    sent[1]?.answer.resolve('new');
    await expect.poll(() => ask('a')).toBe('new');
    clock.advance(7_000);
    expect([peek('a'), sent.length]).toEqual(['new', 2]);
  });

  test('what cannot be read anew stays until it expires', async () => {
    const { ask, clock, known, sent } = setUp();
    await known('a', 'old');
    clock.advance(9_000);
    await ask('a');
    sent[1]?.answer.reject(new Error('down'));
    await expect.poll(async () => [await ask('a'), sent.length]).toEqual(['old', 3]);
    clock.advance(1_000);
    const late = ask('a');
    sent[2]?.answer.resolve('new');
    expect(await late).toBe('new');
  });

  test('what was deleted while it was read is for those who wait, and is not remembered', async () => {
    const { ask, readings, sent } = setUp();
    const before = ask('a');
    readings.delete('a');
    const after = ask('a');
    sent[0]?.answer.resolve('old');
    sent[1]?.answer.resolve('new');
    expect([await before, await after, await ask('a'), sent.length]).toEqual(['old', 'new', 'new', 2]);
  });

  test('of more than there is room for, the first ones are forgotten', async () => {
    const { known, peek, sent } = setUp();
    for (let key = 0; key <= 100; key += 1) await known(String(key), 'read');
    // To look at what is not known reads nothing.
    expect([peek('100'), peek('1'), peek('0'), sent.length]).toEqual(['read', 'read', undefined, 101]);
  });
});

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

test('so many at once, and then so many a second; a clock that is put back takes nothing away', () => {
  const { attempts, pass } = setUp();
  // One key takes nothing from another.
  expect([attempts(10), attempts(2, 'b')]).toEqual([3, 2]);
  pass(499);
  expect(attempts(10)).toBe(0);
  pass(1);
  expect(attempts(10)).toBe(1);
  pass(3_600_000);
  expect(attempts(2)).toBe(2);
  pass(-3_600_000);
  expect(attempts(10)).toBe(1);
  pass(500);
  expect(attempts(10)).toBe(1);
});

test('takes ahead of time, for each in turn, as long as the wait is not too long', () => {
  const { limit, pass } = setUp();
  const ahead = () => limit.spendAhead({ id: 'a' }, 1_000);
  // Two a second: the fourth has its token in half a second, the fifth in a whole one.
  expect([ahead(), ahead(), ahead(), ahead(), ahead()]).toEqual([0, 0, 0, 500, 1_000]);
  expect(ahead).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 2 }));
  pass(500);
  expect(ahead()).toBe(1_000);
});

test('says in how many seconds it lets through again', () => {
  const clock = fakeClock();
  const limit = createRateLimit(memoryBy(clock), { burst: 1, perSecond: 1 / 3 }, clock);
  const spend = () => limit.spend({ id: 'a' });
  spend();
  expect(spend).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 3 }));
  clock.advance(1_001);
  expect(spend).toThrow(expect.objectContaining({ retryAfterSeconds: 2 }));
  clock.advance(1_999);
  expect(limit.take('a')).toBe(true);
});
