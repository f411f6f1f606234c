import { expect, test } from 'vitest';
import type { DecidedTicket } from './decided-ticket.ts';
import { latestTurns } from './newest-decided.ts';

/** A store with so many decisions; every tenth was nobody's turn. Says how many were read at a time. */
function setUp(count: number) {
  const reads: number[] = [];
  const decided = async ({ beforeId, limit }: { beforeId: string | null; limit: number }) => {
    reads.push(limit);
    const newest = beforeId === null ? count : Number(beforeId) - 1;
    return Array.from({ length: Math.min(limit, newest) }, (_, nth) => {
      const id = newest - nth;
      const turn = id % 10 === 0 ? null : { agent: 'an', eligible: ['an', 'binh'] };
      return { id: String(id), ticket: `T${id}`, team: id % 10 === 1 ? null : 'CS', turn } as DecidedTicket;
    });
  };
  return { watch: { decided }, reads };
}

test('the turns of the latest 400 decisions are given, newest first, without those that were no turn of a team', async () => {
  const { watch } = setUp(1_000);
  const turns = await latestTurns(watch);
  expect(turns).toHaveLength(320);
  expect(turns[0]).toEqual({ ticket: 'T999', team: 'CS', agent: 'an', eligible: ['an', 'binh'] });
  expect(turns.at(-1)?.ticket).toBe('T602');
});

test('fewer decisions are all looked at', async () => {
  const { watch } = setUp(15);
  const turns = await latestTurns(watch);
  expect(turns).toHaveLength(12);
});

test('they are read in portions, for a store in this process holds up everything else while it reads one', async () => {
  const { watch, reads } = setUp(1_000);
  await latestTurns(watch);
  expect(reads).toEqual(Array.from({ length: 8 }, () => 50));
});
