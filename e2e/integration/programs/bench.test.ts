import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { benchCases, runCase } from '../../bench/bench.ts';
import { tableOf } from '../../bench/measure.ts';

/** No time is judged here: each case has to work, and to give figures for all that it names. */
const cases = benchCases.filter(({ isSlow }) => !isSlow || sized({ small: false, full: true }));

test.each(cases)('npm run bench measures $name', async (one) => {
  const rows = await runCase(one, { rounds: 1, isSmall: true });
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.ours.length, row.measure).toBeGreaterThan(0);
    for (const figure of row.ours) expect(figure, row.measure).toBeGreaterThanOrEqual(0);
    if (!row.baseline) continue;
    expect(row.baseline.figures.length, row.measure).toBe(row.ours.length);
    for (const figure of row.baseline.figures) expect(figure, row.measure).toBeGreaterThanOrEqual(0);
  }
});

test('ratios are of rounds, a slow one slows both', () => {
  const baseline = { name: 'bare', figures: [5, 10, 15] };
  const lines = tableOf([{ measure: 'a profile', unit: 'ms', ours: [10, 20, 30], baseline }]).split('\n');
  expect(lines.slice(2)).toEqual(['| a profile | 20 ms (15–25) | bare 10 ms (7.5–12.5) | 2     |']);
});
