import { expect, test, vi } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import * as decisions from '#store/decisions.ts';
import { type PipelineWorld, pipelineWorld, standing, withOrgId } from '#testing/pipeline-kit.ts';
import { decisionDraft } from './testing/decision-draft.ts';
import { cs, scale } from './testing/pipeline-rules.ts';
import { assignWaiting } from './waiting.ts';

/** Tickets of a team in which nobody is available, the oldest first. */
async function waiting(names = ['c', 'a', 'b']) {
  const w = pipelineWorld();
  w.desk.goAway('an@desk.example', 'binh@desk.example');
  for (const name of names) {
    await w.route(name, withOrgId(medium));
    w.clock.advance(1_000);
  }
  return w;
}

/** Tickets of another team, of which the only agent is away. */
async function csWaiting(w: PipelineWorld, names: readonly string[]) {
  w.desk.setTeam(cs, ['chi@desk.example']);
  w.desk.goAway('chi@desk.example');
  for (const name of names) {
    w.desk.insert(name, { agent_group: cs });
    const draft = decisionDraft(name, { ticket_creation: w.desk.keyOf(name).creation });
    await decisions.add(w.db, { ...draft, assignment: { state: 'nobody_available', candidates: [] } }, 0, null);
  }
}

test.each<[string, (w: PipelineWorld) => void]>([
  ['a native rule', ({ desk }) => desk.useNativeRule(scale)],
  ['a person', ({ desk }) => desk.before('route', () => desk.personAssigns('given', 'linh@desk.example'))],
])('%s gives it to somebody all the same: the reason does not say that it waits', async (_, deed) => {
  const w = await waiting([]);
  deed(w);
  await w.route('given', withOrgId(medium));
  expect(standing(w, 'given').assigned).toHaveLength(1);
  expect(standing(w, 'given').reason).not.toContain('Nobody is available');
  expect((await w.decided('given'))?.assignment.state).toBe('already_assigned');
});

test('a reason says that a ticket waits; who comes back gets them, the oldest first, and it no longer says so', async () => {
  const w = await waiting();
  expect(standing(w, 'c')).toMatchObject({ group: scale, assigned: [] });
  expect(standing(w, 'c').reason).toMatch(/Nobody is available; it is assigned as soon as somebody is back\.$/);
  w.desk.calls.length = 0;
  expect(await w.assignWaiting()).toBe(0);
  expect(w.desk.calls).not.toContain('tickets.read');
  // What somebody has put right stays: nothing but the reason is written.
  w.desk.put('HD Ticket', 'c', { custom_customer_segment: 'SME' });
  w.desk.comeBack('an@desk.example', 'binh@desk.example');
  expect(await w.assignWaiting()).toBe(3);
  expect(w.desk.routingOf('c').segment).toBe('SME');
  expect(w.desk.writes.filter((write) => write.startsWith('assign'))).toEqual([
    'assign c an@desk.example',
    'assign a binh@desk.example',
    'assign b an@desk.example',
  ]);
  for (const name of ['a', 'b', 'c']) expect(standing(w, name).reason).not.toContain('Nobody');
  expect(await w.assignWaiting()).toBe(0);
});

test.each<[string, (w: PipelineWorld) => void, string[]]>([
  ['given it to somebody', ({ desk }) => desk.personAssigns('c', 'linh@desk.example'), ['linh@desk.example']],
  ['chosen another team', ({ desk }) => desk.personSetsGroup('c', cs), []],
  ['answered it', ({ desk }) => desk.personReplies('c'), []],
  ['closed it', ({ desk }) => desk.personSetsStatus('c', 'Closed'), []],
])(
  'a ticket stays as it is where somebody has %s meanwhile, and the next one is assigned',
  async (_, deed, assigned) => {
    const w = await waiting(['c', 'a']);
    deed(w);
    const { group } = standing(w, 'c');
    w.desk.comeBack('binh@desk.example');
    expect(await w.assignWaiting()).toBe(1);
    expect(standing(w, 'c')).toMatchObject({ group, assigned });
    expect((await w.decided('c'))?.assignment.state).not.toBe('nobody_available');
    expect(standing(w, 'a').assigned).toEqual(['binh@desk.example']);
  },
);

test('a ticket that was made under the name of one that waited is not given to anybody in its place', async () => {
  const w = await waiting(['c', 'a']);
  w.desk.remove('HD Ticket', 'c');
  w.clock.advance(60_000);
  w.desk.insert('c', withOrgId(medium, { agent_group: scale }));
  w.desk.comeBack('an@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  expect([standing(w, 'c').assigned, standing(w, 'a').assigned]).toEqual([[], ['an@desk.example']]);
});

test('a crash between turn and assignment is finished by the pipeline, with the agent whose turn it was', async () => {
  const w = await waiting();
  w.desk.comeBack('an@desk.example', 'binh@desk.example');
  w.desk.failNext('assignments.add');
  expect(await w.assignWaiting()).toBe(2);
  for (const ms of [0, 59_999]) {
    w.clock.advance(ms);
    await w.process().processInbox();
    expect(standing(w, 'c').assigned).toEqual([]);
  }
  w.clock.advance(1);
  await w.process().processInbox();
  const agents = ['c', 'a', 'b'].map((name) => standing(w, name).assigned);
  expect(agents).toEqual([['an@desk.example'], ['binh@desk.example'], ['an@desk.example']]);
});

test('two processes at once give each ticket to one agent, and the record says that it was them', async () => {
  const w = await waiting();
  w.desk.comeBack('an@desk.example', 'binh@desk.example');
  const counts = await Promise.all([w.assignWaiting(), w.process().assignWaiting()]);
  expect(counts[0] + counts[1]).toBe(3);
  expect(w.desk.writes.filter((write) => write.startsWith('assign'))).toHaveLength(3);
  for (const name of ['c', 'a', 'b']) {
    expect(standing(w, name).assigned).toHaveLength(1);
    expect((await w.decided(name))?.assignment.state).toBe('assigned');
  }
});

test('a ticket that another process settles while it is read is left alone', async () => {
  const w = await waiting(['c']);
  w.desk.comeBack('an@desk.example');
  const { tickets } = w.desk.helpdesk;
  const { read } = tickets;
  tickets.read = async (...asked) => {
    tickets.read = read;
    const decision = (await w.decided('c')) ?? expect.fail();
    await decisions.update(w.db, decision, { assignment: { state: 'none' } });
    return read(...asked);
  };
  expect(await w.assignWaiting()).toBe(0);
  expect(standing(w, 'c').assigned).toEqual([]);
});

test('a ticket that another process decides anew meanwhile is left to its next turn', async () => {
  const w = await waiting(['c', 'a']);
  w.desk.comeBack('an@desk.example');
  w.desk.before('assign', async () => {
    const { id: _, number, ...draft } = (await w.decided('a')) ?? expect.fail();
    await decisions.add(w.db, draft, number, null);
  });
  expect(await w.assignWaiting()).toBe(1);
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, 'a').assigned).toEqual(['an@desk.example']);
});

test('once the service stops no other ticket is begun', async () => {
  const w = await waiting();
  w.desk.comeBack('an@desk.example', 'binh@desk.example');
  const stop = new AbortController();
  w.desk.before('assign', () => stop.abort());
  await expect(assignWaiting({ ...w.ctx, signal: stop.signal })).rejects.toThrow();
  expect(['a', 'b'].map((name) => standing(w, name).assigned)).toEqual([[], []]);
});

test('a ticket whose own write has not succeeded yet is not given up', async () => {
  const w = await waiting(['c']);
  w.desk.insert('new', withOrgId(medium));
  w.desk.before('link', () => w.desk.failNext('tickets.write'));
  await w.run('new').catch(() => {});
  w.desk.comeBack('an@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  await w.run('new');
  await w.assignWaiting();
  expect(standing(w, 'new')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
});

test('one that cannot be read keeps no other waiting', async () => {
  const w = await waiting();
  w.desk.comeBack('an@desk.example');
  const warned = vi.spyOn(w.ctx.logger, 'warn');
  w.desk.failNext('tickets.read');
  expect(await w.assignWaiting()).toBe(2);
  expect(warned.mock.calls).toEqual([
    [{ error: expect.any(String), ticket: 'c' }, expect.stringMatching(/^A waiting/)],
  ]);
  expect(standing(w, 'c').assigned).toEqual([]);
  expect(await w.assignWaiting()).toBe(1);
});

test('a team that cannot be read keeps no other waiting, and its failure is told once they have theirs', async () => {
  const w = await waiting(['c']);
  await csWaiting(w, ['s']);
  w.desk.comeBack('an@desk.example', 'chi@desk.example');
  const assigned = () => ['s', 'c'].map((name) => standing(w, name).assigned);
  // By name the first of the two is the other one.
  w.desk.failNext('people.readTeam');
  await expect(w.assignWaiting()).rejects.toThrow('down');
  expect(assigned()).toEqual([[], ['an@desk.example']]);
  expect(await w.assignWaiting()).toBe(1);
  expect(assigned()).toEqual([['chi@desk.example'], ['an@desk.example']]);
});

test('many that cannot be read are each tried once in a run, and the next one is assigned', async () => {
  const w = await waiting([]);
  const names = Array.from({ length: 21 }, (_, i) => `s${i}`);
  await csWaiting(w, names);
  w.desk.comeBack('chi@desk.example');
  for (const _ of names.slice(0, 20)) w.desk.failNext('tickets.read');
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, 's20').assigned).toEqual(['chi@desk.example']);
});

test('of two teams with many waiting neither waits for all of the other', async () => {
  const w = await waiting();
  const own = Array.from({ length: 25 }, (_, i) => `s${i}`);
  await csWaiting(w, own);
  expect(await w.assignWaiting()).toBe(0);
  w.desk.comeBack('an@desk.example', 'chi@desk.example');
  expect(await w.assignWaiting()).toBe(28);
  const assigned = w.desk.writes.filter((write) => write.startsWith('assign')).map((write) => write.split(' ')[1]);
  expect(assigned).toEqual([...own.slice(0, 20), 'c', 'a', 'b', ...own.slice(20)]);
});
