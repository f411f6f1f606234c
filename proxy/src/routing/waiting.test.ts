import { expect, test } from 'vitest';
import * as decisions from '#store/decisions.ts';
import { medium } from '#testing/sample-companies.ts';
import { decisionDraft } from './testing/decision-draft.ts';
import { pipelineWorld, standing, withOrgId } from './testing/pipeline-kit.ts';
import { cs, scale } from './testing/pipeline-rules.ts';

/** Three tickets of a team in which nobody is available, the oldest first. */
async function waiting() {
  const w = pipelineWorld();
  w.desk.goAway('an@desk.example', 'binh@desk.example');
  for (const name of ['c', 'a', 'b']) {
    await w.route(name, withOrgId(medium));
    w.clock.advance(1_000);
  }
  return w;
}

test('a native rule that gives it to somebody all the same: the reason does not say that it waits', async () => {
  const w = await waiting();
  w.desk.useNativeRule(scale);
  await w.route('native', withOrgId(medium));
  expect(standing(w, 'native').assigned).toHaveLength(1);
  expect(standing(w, 'native').reason).not.toContain('Nobody is available');
  expect((await w.decided('native'))?.assignment.state).toBe('already_assigned');
});

test('a reason says that a ticket waits; who comes back gets them, the oldest first, and it no longer says so', async () => {
  const w = await waiting();
  expect(standing(w, 'c')).toMatchObject({ group: scale, assigned: [] });
  expect(standing(w, 'c').reason).toMatch(/Nobody is available; it is assigned as soon as somebody is back\.$/);
  expect(await w.assignWaiting()).toBe(0);
  w.desk.comeBack('an@desk.example', 'binh@desk.example');
  expect(await w.assignWaiting()).toBe(3);
  expect(w.desk.writes.filter((write) => write.startsWith('assign'))).toEqual([
    'assign c an@desk.example',
    'assign a binh@desk.example',
    'assign b an@desk.example',
  ]);
  for (const name of ['a', 'b', 'c']) expect(standing(w, name).reason).not.toContain('Nobody');
  expect(await w.assignWaiting()).toBe(0);
});

test('what people have done meanwhile stays', async () => {
  const w = await waiting();
  w.desk.personAssigns('a', 'linh@desk.example');
  w.desk.personSetsGroup('b', cs);
  w.desk.comeBack('binh@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, 'a').assigned).toEqual(['linh@desk.example']);
  expect(standing(w, 'b')).toMatchObject({ group: cs, assigned: [] });
  expect(standing(w, 'c').assigned).toEqual(['binh@desk.example']);
});

test('a crash between turn and assignment is finished by the pipeline, with the agent whose turn it was', async () => {
  const w = await waiting();
  w.desk.comeBack('an@desk.example', 'binh@desk.example');
  w.desk.failNext('assignments.add');
  expect(await w.assignWaiting()).toBe(2);
  expect(standing(w, 'c').assigned).toEqual([]);
  w.clock.advance(60_000);
  await w.process().processInbox();
  const agents = ['c', 'a', 'b'].map((name) => standing(w, name).assigned);
  expect(agents).toEqual([['an@desk.example'], ['binh@desk.example'], ['an@desk.example']]);
});

test('a ticket whose own write has not succeeded yet is not given up', async () => {
  const w = await waiting();
  w.desk.insert('new', withOrgId(medium));
  w.desk.failNext('tickets.write');
  await w.run('new').catch(() => {});
  w.desk.comeBack('an@desk.example');
  expect(await w.assignWaiting()).toBe(3);
  await w.run('new');
  await w.assignWaiting();
  expect(standing(w, 'new')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
});

test('one that cannot be read keeps no other waiting', async () => {
  const w = await waiting();
  w.desk.comeBack('an@desk.example');
  w.desk.failNext('tickets.read');
  expect(await w.assignWaiting()).toBe(2);
  expect(standing(w, 'c').assigned).toEqual([]);
  expect(await w.assignWaiting()).toBe(1);
});

test('a ticket that somebody has answered or closed meanwhile is given to nobody', async () => {
  const w = await waiting();
  w.desk.personReplies('c');
  w.desk.personSetsStatus('a', 'Closed');
  w.desk.comeBack('an@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, 'c').assigned).toEqual([]);
  expect(standing(w, 'a').assigned).toEqual([]);
  expect((await w.decided('a'))?.assignment.state).toBe('none');
});

test('nothing but the reason is written then: what somebody has put right stays', async () => {
  const w = await waiting();
  w.desk.put('HD Ticket', 'c', { custom_customer_segment: 'SME' });
  w.desk.comeBack('an@desk.example');
  await w.assignWaiting();
  expect(w.desk.routingOf('c').segment).toBe('SME');
});

test('of two teams with many waiting neither waits for all of the other', async () => {
  const w = await waiting();
  w.desk.setTeam(cs, ['chi@desk.example']);
  w.desk.goAway('chi@desk.example');
  const own = Array.from({ length: 25 }, (_, i) => `s${i}`);
  for (const name of own) {
    w.desk.insert(name, { agent_group: cs });
    const draft = decisionDraft(name, { ticket_creation: w.desk.keyOf(name).creation });
    await decisions.add(w.db, { ...draft, assignment: { state: 'nobody_available', candidates: [] } }, 0, null);
  }
  expect(await w.assignWaiting()).toBe(0);
  w.desk.comeBack('an@desk.example', 'chi@desk.example');
  expect(await w.assignWaiting()).toBe(28);
  const assigned = w.desk.writes.filter((write) => write.startsWith('assign')).map((write) => write.split(' ')[1]);
  expect(assigned).toEqual([...own.slice(0, 20), 'c', 'a', 'b', ...own.slice(20)]);
});
