import { sized } from '@deskside/testing/size';
import { describe, expect, test } from 'vitest';
import { benchCases } from '../../bench/cases.ts';
import { judge, ratiosOf } from '../../bench/frame/row.ts';
import { tableOf } from '../../bench/frame/table.ts';
import { runCase } from '../../bench/run-bench.ts';

/** No time is judged here: each case has to work, and to give figures for all that it names. */
const cases = benchCases.filter(({ isSlow }) => !isSlow || sized({ small: false, full: true }));

test.each(cases)('npm run bench measures $name', async (one) => {
  const rows = await runCase(one, { rounds: 1, tickets: 1_500, minutes: 1, isSmall: true });
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.ours.length, row.measure).toBeGreaterThan(0);
    for (const figure of row.ours) expect(figure, row.measure).toBeGreaterThanOrEqual(0);
    if (!row.baseline || 'missing' in row.baseline) continue;
    expect(row.baseline.figures.length, row.measure).toBe(row.ours.length);
    for (const figure of row.baseline.figures) expect(figure, row.measure).toBeGreaterThanOrEqual(0);
  }
});

describe('what a run says of a goal', () => {
  const row = { measure: 'a profile', unit: 'ms', ours: [10, 20, 30] };
  const baseline = { name: 'bare', figures: [10, 10, 10] };

  test('by our own figure or by the ratio, and unclear where it lies within the spread of the rounds', () => {
    const own = (value: number) => judge({ ...row, goal: { is: 'at most', value, of: 'ours' } });
    expect([own(25), own(20), own(14)]).toEqual(['met', 'unclear', 'not met']);
    const times = (value: number) => judge({ ...row, baseline, goal: { is: 'at least', value, of: 'ratio' } });
    expect([times(1.5), times(2), times(2.6)]).toEqual(['met', 'unclear', 'not met']);
    expect(judge(row)).toBeNull();
  });

  test('pairs are compared round by round: a slow round slows both', () => {
    expect(ratiosOf({ ...row, baseline: { name: 'bare', figures: [5, 10, 15] } })).toEqual([2, 2, 2]);
  });

  test('a baseline that is not installed is named, and nothing is judged by it', () => {
    const missing = { name: 'nginx', missing: 'not installed' };
    const without = { ...row, baseline: missing, goal: { is: 'at most', value: 4, of: 'ratio' } } as const;
    expect(judge(without)).toBeNull();
    expect(tableOf([without]).split('\n').at(-1)).toBe(
      '| a profile | 20 ms (15–25) | nginx: not installed |       | at most 4 times |     |',
    );
  });
});
