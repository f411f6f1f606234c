import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { draftOf } from '#store/testing/decision-draft.ts';
import { addTo } from '#store/testing/decisions.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { latestTurns } from './explain.ts';
import { turnIn } from './round-robin.ts';

/** A store with so many decisions; every tenth was nobody's turn. Says how many were read at a time. */
async function setUp(count: number) {
  const { db } = memoryStore();
  const candidates = ['an', 'binh'].map((user) => ({ user, reason: 'not_their_turn' as const }));
  const turn = turnIn('CS 60p', ['an', 'binh']);
  for (let id = 1; id <= count; id += 1) {
    const assignment = { state: 'planned' as const, candidates };
    const outcome = { ...draftOf('').outcome, ...(id % 10 === 1 && { team: null }) };
    await addTo(db, draftOf(`T${id}`, { outcome, assignment }), 0, id % 10 === 0 ? null : turn);
  }
  const reads: number[] = [];
  const transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node;
  const transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    reads.push(result.rows.length);
    return result;
  };
  return { db: db.withPlugin({ transformQuery, transformResult }), reads };
}

test('the turns of the latest 400 decisions are given, newest first, without those that were no turn of a team', async () => {
  const { db } = await setUp(450);
  const turns = await latestTurns(db);
  expect(turns).toHaveLength(320);
  expect(turns[0]).toMatchObject({ ticket: 'T449', team: 'CS 60p', eligible: ['an', 'binh'] });
  expect(turns.at(-1)?.ticket).toBe('T52');
});

test('fewer decisions are all looked at', async () => {
  const { db } = await setUp(15);
  const turns = await latestTurns(db);
  expect(turns).toHaveLength(12);
});

test('they are read in portions, for a store in this process holds up everything else while it reads one', async () => {
  const { db, reads } = await setUp(450);
  await latestTurns(db);
  expect(reads).toEqual(Array.from({ length: 8 }, () => 50));
});
