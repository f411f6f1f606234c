import { expect, test } from 'vitest';
import type { DecidedTicket } from '#domain/operator/decided-ticket.ts';
import { createReadDay } from './read-day.ts';

/** A store with so many decisions, one a second, the latest at this moment. */
function setUp(count: number) {
  let now = 10_000_000;
  const state = { count, reads: 0 };
  const decided = async ({ beforeId, limit }: { beforeId: string | null; limit: number }) => {
    state.reads += 1;
    const first = Math.min(Number(beforeId ?? Number.POSITIVE_INFINITY) - 1, state.count);
    return Array.from(
      { length: Math.max(0, Math.min(limit, first)) },
      (_, nth) => ({ id: String(first - nth), at: now - (state.count - first + nth) * 1_000 }) as DecidedTicket,
    );
  };
  const readDay = createReadDay({ watch: { decided }, clock: () => now });
  return { readDay, state, pass: (ms: number) => (now += ms), since: (seconds: number) => now - seconds * 1_000 };
}

test('the day is read newest first, a portion at a time, as far as its first moment', async () => {
  const { readDay, since } = setUp(5_000);
  const { decided } = await readDay(since(449.5));
  expect([decided.length, decided[0]?.id, decided.at(-1)?.id]).toEqual([450, '5000', '4551']);
});

test('however many there are, no more than 20,000 are looked at', async () => {
  const { readDay, since } = setUp(60_000);
  expect((await readDay(since(59_000))).decided).toHaveLength(20_000);
});

test('who asks again sees a new decision at once, and has nothing read again without one', async () => {
  const { readDay, state, pass, since } = setUp(10);
  const day = since(3_600);
  await readDay(day);
  const before = state.reads;
  await readDay(day);
  expect(state.reads - before, 'a look at the newest').toBe(1);
  state.count += 1;
  expect((await readDay(day)).decided).toHaveLength(11);
  pass(10_000);
  const later = state.reads;
  await readDay(day);
  expect(state.reads - later, 'decisions can have changed').toBe(2);
});
