import { expect, test } from 'vitest';
import { createShowHealth } from './show-health.ts';

function setUp() {
  let now = 0;
  let failedAt = -1;
  let asked = 0;
  const examine = async () => {
    asked += 1;
    return { findings: [], not_checked: [] };
  };
  const recentCrm = { failedSince: (moment: number) => failedAt > moment };
  let show = createShowHealth({ examine, recentCrm, clock: () => now });
  return {
    /** How often it has been examined, once somebody has asked this much later (milliseconds). */
    after: async (ms: number) => {
      now += ms;
      await show();
      return asked;
    },
    change: () => {
      show = createShowHealth({ examine, recentCrm, clock: () => now });
    },
    fail: () => {
      failedAt = now;
    },
  };
}

test('whoever asks within a minute gets the same answer', async () => {
  const { after } = setUp();
  expect([await after(0), await after(59_999), await after(1)]).toEqual([1, 1, 2]);
});

test('once the CRM has failed, it is looked at again after ten seconds', async () => {
  const { after, fail } = setUp();
  await after(0);
  expect(await after(5_000)).toBe(1);
  fail();
  expect([await after(4_999), await after(1), await after(10_000)]).toEqual([1, 2, 2]);
});

test('changed settings are looked at at once', async () => {
  const { after, change } = setUp();
  await after(0);
  change();
  expect([await after(1), await after(1)]).toEqual([2, 2]);
});
