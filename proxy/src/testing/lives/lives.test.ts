import { expect, test } from 'vitest';
import { complaintOf, liveFrom } from './lives.ts';
import { readOptions } from './main.ts';

const lives = 30;

test('nothing is wrong with the lives of these seeds', { timeout: 300_000 }, async () => {
  const complaints: string[] = [];
  for (let seed = 1; seed <= lives; seed += 1) {
    const complaint = complaintOf(seed, await liveFrom(seed));
    if (complaint !== null) complaints.push(complaint);
  }
  expect(complaints.join('\n\n')).toBe('');
});

test('the same seed gives the same life, step by step', async () => {
  let steps = 0;
  for (const seed of [1, 2, 3, 4, 5]) {
    const { trace } = await liveFrom(seed, { isShrunk: false });
    steps += trace.length;
    expect((await liveFrom(seed, { isShrunk: false })).trace).toEqual(trace);
  }
  expect(steps).toBeGreaterThan(300);
});

test('what is no whole number is refused by name', () => {
  expect(() => readOptions(['--seed', '7.5'])).toThrow(
    '--seed: expected a whole number of at most nine digits, found "7.5"',
  );
  expect(() => readOptions(['--minutes', 'ten'])).toThrow(
    '--minutes: expected a whole number of at most nine digits, found "ten"',
  );
  expect(() => readOptions(['--seed', '1010000000'])).toThrow('of at most nine digits, found "1010000000"');
  expect(readOptions(['--seed', '7'])).toEqual({ seed: 7, minutes: null, isTraced: false });
});
