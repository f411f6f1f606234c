import { expect, test, vi } from 'vitest';
import { runRegularly } from '#runtime/run-regularly.ts';
import { fakeClock, silent } from '#testing/quiet.ts';
import { createPipelineSchedule } from './schedule.ts';

function setUp(isOn = () => true) {
  const calls: string[] = [];
  const signals: AbortSignal[] = [];
  const schedule = createPipelineSchedule({
    processInbox: async () => void calls.push('inbox'),
    sweepTickets: async ({ isWide }, signal) => {
      calls.push(isWide ? 'wide sweep' : 'sweep');
      signals.push(signal);
      return 0;
    },
    assignWaiting: async () => calls.push('waiting'),
    current: {
      get now() {
        return { ctx: { routesTickets: isOn() } };
      },
    },
    duties: { regularly: runRegularly },
    stop: new AbortController(),
    clock: fakeClock(),
    logger: silent,
  });
  return { schedule, calls, signals };
}

test('once started, everything is done at once; the first sweep looks hours back', async () => {
  const { schedule, calls } = setUp();
  schedule.start();
  expect(calls.toSorted()).toEqual(['inbox', 'waiting', 'wide sweep']);
  await schedule.stop();
});

test('what is switched off is left, and done once it is switched on', async () => {
  let isOn = false;
  const { schedule, calls } = setUp(() => isOn);
  schedule.start();
  expect(calls).toEqual([]);
  isOn = true;
  schedule.wake();
  await expect.poll(() => calls).toEqual(['inbox']);
  await schedule.stop();
});

test('who wakes it has the inbox worked off now', async () => {
  const { schedule, calls } = setUp();
  vi.useFakeTimers();
  schedule.start();
  await vi.advanceTimersByTimeAsync(0);
  schedule.wake();
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  expect(calls.filter((call) => call === 'inbox')).toHaveLength(2);
  await schedule.stop();
});

test('a sweep that is asked for is an ordinary one, and stopping gives it up', async () => {
  const { schedule, calls, signals } = setUp();
  await schedule.sweep();
  expect(calls).toEqual(['sweep']);
  expect(signals[0]?.aborted).toBe(false);
  await schedule.stop();
  expect(signals[0]?.aborted).toBe(true);
});
