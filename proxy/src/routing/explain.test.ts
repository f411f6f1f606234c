import { expect, onTestFinished, test } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import { machine, runOn } from '#runtime/machine.ts';
import * as decisions from '#store/decisions.ts';
import * as notes from '#store/notes.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { listDecisions } from './explain.ts';
import { decisionDraft } from './testing/decision-draft.ts';

/** A ticket with a decision that mentions people of the desk, one who is gone, and a sender. */
async function setUp({ isDecided = true } = {}) {
  const ctx = testContext();
  ctx.desk.insert('7');
  const evidence = [
    { code: 'linked_by_agent' as const, value: 'chi@desk.example' },
    { code: 'entered_by_agent' as const, value: 'linh@desk.example' },
    { code: 'sender_email_of_company' as const, value: 'vy@shop.example' },
  ];
  const trust = { level: 'confirmed' as const, evidence };
  const org_id = { value: medium, source: 'ticket', field: 'custom_orgid', trust };
  const candidates = [
    { user: 'an@desk.example', reason: 'next_in_turn' as const },
    { user: 'binh@desk.example', reason: 'not_their_turn' as const },
    { user: 'gone@desk.example', reason: 'not_their_turn' as const },
  ];
  const assignment = { state: 'assigned' as const, agent: 'an@desk.example', candidates };
  const draft = decisionDraft('7', { org_id, ticket_creation: ctx.desk.keyOf('7').creation });
  if (isDecided) await decisions.add(ctx.db, { ...draft, assignment }, 0, null);
  return { ...ctx, list: () => listDecisions(callBy(ctx, 'an'), { ticket: '7' }) };
}

test('whoever of the desk a decision mentions is named, all in one question', async () => {
  const { desk, list } = await setUp();
  expect((await list()).names).toEqual({
    'an@desk.example': 'An',
    'binh@desk.example': 'Binh',
    'chi@desk.example': 'Chi',
    'linh@desk.example': 'Linh',
  });
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

test('a decision without org id and agent names nobody', async () => {
  const { desk, db, list } = await setUp({ isDecided: false });
  await decisions.add(db, decisionDraft('7', { ticket_creation: desk.keyOf('7').creation }), 0, null);
  expect(await list()).toMatchObject({ decisions: [{ inputs: { org_id: null } }] });
  expect(desk.calls).not.toContain('people.userNames');
});

test('names that take long are left out', async () => {
  const { desk, list } = await setUp();
  const { timeout } = machine;
  // The other time-outs of a request are longer, and are not what this is about.
  onTestFinished(runOn({ ...machine, timeout: (ms) => (ms < 2_000 ? AbortSignal.abort() : timeout(ms)) }));
  desk.helpdesk.people.userNames = async (_users, signal) => {
    signal.throwIfAborted();
    return new Map([['an@desk.example', 'An']]);
  };
  const { decisions: all, names } = await list();
  expect([all.length, names]).toEqual([1, {}]);
});

test('what the helpdesk refuses to write to the ticket is told until it is over', async () => {
  const { desk, db, list } = await setUp();
  expect(await list()).not.toHaveProperty('refused');
  const refusal = { ...desk.keyOf('7'), modified: '', refusal: 'Contact is mandatory.', fields: ['contact'] };
  await notes.noteRefusal(db, refusal, 0);
  expect(await list()).toMatchObject({ refused: 'Contact is mandatory.' });
  await notes.endRefusal(db, desk.keyOf('7'));
  expect(await list()).not.toHaveProperty('refused');
});
