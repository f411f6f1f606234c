import { expect, test } from 'vitest';
import { rushHour } from './testing/rush-hour.ts';

// In real time, so it says nothing about how long an agent waits: the governor's own test does, in virtual time.
test('200 agents open distinct tickets within 10 s while another process backfills 5,000: no limit error, no agent without his company', async () => {
  const rush = {
    speed: 2,
    agents: 200,
    withinMs: 10_000,
    backfill: 5_000,
    deadlineMs: 100_000,
    untilAgentsAreServed: true,
  };
  const figures = await rushHour(rush);
  process.stdout.write(`rush hour: ${JSON.stringify(figures)}\n`);
  expect(figures).toMatchObject({ limitErrors: 0, missing: 0 });
  // Bulk work goes on meanwhile, and it is sent in packs.
  expect(figures.backfilled.meanwhile).toBeGreaterThan(0);
  expect(figures.requests).toBeLessThan(200 + figures.backfilled.inAll / 8);
});
