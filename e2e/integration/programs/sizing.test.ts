import { expect, test } from 'vitest';
import { mostAgents, needsOf } from '../../sizing/needs.ts';
import { assumed, simulateYear } from '../../sizing/year.ts';

const year = (change: Partial<Parameters<typeof simulateYear>[0]> = {}) =>
  simulateYear({ agents: 2, ttlMinutes: 60, seed: 1, ...change });

test('the same seed gives the same year, with the tickets and opens that were assumed', () => {
  const first = year();
  expect(year()).toEqual(first);
  expect(year({ seed: 5 })).not.toEqual(first);
  const tickets = 2 * 365 * assumed.ticketsPerAgentDay;
  expect(first.tickets / tickets).toBeCloseTo(1, 1);
  expect(first.opens / first.tickets).toBeCloseTo(assumed.opensPerTicket, 1);
});

test('what is kept longer is asked for less often; kept not at all, every question is a look-up', () => {
  const [none, hour, day] = [0, 60, 1_440].map((ttlMinutes) => year({ ttlMinutes }));
  expect(none?.lookups).toBe((none?.tickets ?? 0) + (none?.opens ?? 0));
  expect(hour?.hitRate).toBeGreaterThan(0);
  expect(day?.hitRate).toBeGreaterThan(hour?.hitRate ?? 1);
  expect(day?.tickets).toBe(hour?.tickets);
});

test('the plan that is named takes the busiest hour, and none is named where none does', () => {
  const small = year();
  expect(needsOf(small)).toMatchObject({ plan: 'standard', replicas: 1 });
  const most = mostAgents('enterprise', small, 2);
  const grown = (agents: number) => ({
    ...small,
    peakHour: { ...small.peakHour, lookups: (small.peakHour.lookups * agents) / 2 },
  });
  expect(needsOf(grown(most - 1)).plan).not.toBeNull();
  expect(needsOf(grown(most + 2)).plan).toBeNull();
});
