import { expect, test } from 'vitest';
import type { DecidedTicket } from '#domain/operator/decided-ticket.ts';
import { latestTurns } from './latest-turns.ts';

/** A store with so many decisions; every tenth was nobody's turn. Says in which turn of the event loop it was read. */
function setUp(count: number) {
  const reads: number[] = [];
  const turns = { count: 0, counting: true };
  const tick = () => {
    turns.count += 1;
    if (turns.counting) setImmediate(tick);
  };
  setImmediate(tick);
  const decided = async ({ beforeId, limit }: { beforeId: string | null; limit: number }) => {
    reads.push(turns.count);
    const newest = beforeId === null ? count : Number(beforeId) - 1;
    return Array.from({ length: Math.min(limit, newest) }, (_, nth) => {
      const id = newest - nth;
      const turn = id % 10 === 0 ? null : { agent: 'an', eligible: ['an', 'binh'] };
      return { id: String(id), ticket: `T${id}`, team: id % 10 === 1 ? null : 'CS', turn } as DecidedTicket;
    });
  };
  return { watch: { decided }, reads, stop: () => (turns.counting = false) };
}

test('the turns of the latest 400 decisions are given, newest first, without those that were no turn of a team', async () => {
  const { watch, stop } = setUp(1_000);
  const turns = await latestTurns(watch);
  stop();
  expect(turns).toHaveLength(320);
  expect(turns[0]).toEqual({ ticket: 'T999', team: 'CS', agent: 'an', eligible: ['an', 'binh'] });
  expect(turns.at(-1)?.ticket).toBe('T602');
});

test('fewer decisions are all looked at', async () => {
  const { watch, stop } = setUp(15);
  const turns = await latestTurns(watch);
  stop();
  expect(turns).toHaveLength(12);
});

test('everything else in the process gets its turn between two portions', async () => {
  const { watch, reads, stop } = setUp(1_000);
  await latestTurns(watch);
  stop();
  expect(reads.length).toBeGreaterThan(1);
  expect(new Set(reads).size).toBe(reads.length);
});
