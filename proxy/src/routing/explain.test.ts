import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import * as decisions from '#store/decisions.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { addTo } from '#store/testing/decisions.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { medium } from '#testing/sample-companies.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { latestTurns, listDecisions, spreadOf, type Turn } from './explain.ts';
import { nextInTurn, turnIn } from './round-robin.ts';
import { decisionDraft } from './testing/decision-draft.ts';

/** A ticket with a decision that mentions two people of the desk, and one whom the helpdesk does not know. */
async function setUp({ isDecided = true } = {}) {
  const ctx = testContext();
  ctx.desk.insert('7');
  const evidence = [{ code: 'linked_by_agent' as const, value: 'chi@desk.example' }];
  const trust = { level: 'confirmed' as const, evidence };
  const org_id = { value: medium, source: 'ticket', field: 'custom_orgid', trust };
  const candidates = [
    { user: 'an@desk.example', reason: 'next_in_turn' as const },
    { user: 'gone@desk.example', reason: 'not_their_turn' as const },
  ];
  const assignment = { state: 'assigned' as const, agent: 'an@desk.example', candidates };
  const draft = decisionDraft('7', { org_id, ticket_creation: ctx.desk.keyOf('7').creation });
  if (isDecided) await decisions.add(ctx.db, { ...draft, assignment }, 0, null);
  return { ...ctx, list: () => listDecisions(callBy(ctx, 'an'), { ticket: '7' }) };
}

test('whoever a decision mentions is named', async () => {
  const { desk, list } = await setUp();
  expect((await list()).names).toEqual({ 'an@desk.example': 'An', 'chi@desk.example': 'Chi' });
  expect(desk.calls.filter((call) => call === 'people.userNames')).toHaveLength(1);
});

test('nobody is asked about where there is nobody, and without names the decisions are there all the same', async () => {
  const none = await setUp({ isDecided: false });
  expect(await none.list()).toEqual({ ticket: '7', decisions: [], names: {} });
  expect(none.desk.calls).not.toContain('people.userNames');
  const { desk, db, list } = await setUp();
  desk.failNext('people.userNames');
  expect(await list()).toEqual({ ticket: '7', decisions: await decisions.list(db, desk.keyOf('7')), names: {} });
  expect((await list()).decisions).toHaveLength(1);
});

/** A store with so many decisions; every tenth was nobody's turn. Says how many were read at a time. */
async function storeWith(count: number) {
  const { db } = memoryStore();
  const others = ['an', 'binh'].map((user) => ({ user, reason: 'not_their_turn' as const }));
  const candidates = [...others, { user: 'chi', reason: 'unavailable' as const }];
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
  const { db, reads } = await storeWith(450);
  const turns = await latestTurns(db);
  expect(turns).toHaveLength(320);
  expect(turns[0]).toMatchObject({ ticket: 'T449', team: 'CS 60p', eligible: ['an', 'binh'] });
  expect(turns.at(-1)?.ticket).toBe('T52');
  // In portions: a store in this process holds up everything else while it reads one.
  expect(reads).toEqual(Array.from({ length: 8 }, () => 50));
});

const turnOf = (ticket: number, agent: string, eligible: string[], team = 'CS 60p'): Turn => ({
  ticket: `T${ticket}`,
  team,
  agent,
  eligible,
});

test('who gets every ticket although others could have had it is ahead by as many', () => {
  const turns = Array.from({ length: 9 }, (_, i) => turnOf(i, 'an', ['an', 'binh', 'chi']));
  expect(spreadOf(turns).get('CS 60p')).toBeCloseTo(9);
});

test('who is away owes nothing and is owed nothing', () => {
  const together = Array.from({ length: 10 }, (_, i) => turnOf(i, i % 2 ? 'an' : 'binh', ['an', 'binh']));
  const alone = Array.from({ length: 50 }, (_, i) => turnOf(100 + i, 'an', ['an']));
  expect(spreadOf([...together, ...alone]).get('CS 60p')).toBeCloseTo(0);
});

test('teams count for themselves, and a turn that a repair keeps counts once', () => {
  const twice = [turnOf(1, 'an', ['an', 'binh']), turnOf(1, 'an', ['an', 'binh'])];
  expect(spreadOf([...twice, turnOf(1, 'chi', ['chi'], 'Medium')])).toEqual(
    new Map([
      ['CS 60p', 1],
      ['Medium', 0],
    ]),
  );
});

test('the round-robin adds at most one ticket each time that somebody comes or goes', () => {
  const members = ['an', 'binh', 'chi', 'dung', 'em'];
  fc.assert(
    fc.property(
      fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (away, length) => {
        const turns: Turn[] = [];
        for (const absent of away) {
          const eligible = members.filter((_, i) => i !== absent);
          for (let i = 0; i < length; i += 1) {
            const agent = nextInTurn(members, eligible, turns.at(-1)?.agent ?? null) ?? '';
            turns.push(turnOf(turns.length, agent, eligible));
          }
        }
        expect(spreadOf(turns).get('CS 60p')).toBeLessThanOrEqual(away.length + 1e-9);
      },
    ),
  );
});
