import { expect, test } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import * as decisions from '#store/decisions.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { listDecisions } from './explain.ts';
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
