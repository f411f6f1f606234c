import { expect, test } from 'vitest';
import { medium } from '#app/testing/pipeline/pipeline-crm.ts';
import { pipelineWorld, standing, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { scale } from '#app/testing/pipeline/pipeline-rules.ts';
import type { TeamMember } from '#ports/helpdesk/helpdesk-tickets.ts';

const away = (user: string): TeamMember => ({ user, state: 'ready', availability: 'unavailable' });

/** Three tickets of a team in which nobody is available, the oldest first. */
async function waiting() {
  const w = pipelineWorld();
  const team = w.tickets.addTeam(scale, [away('an@desk.example'), away('binh@desk.example')]);
  for (const name of ['c', 'a', 'b']) {
    w.tickets.insert(name, withOrgId(medium));
    await w.run(name);
    w.clock.advance(1_000);
  }
  const back = (...users: string[]) => {
    for (const member of team.members) if (users.includes(member.user)) member.availability = 'active';
  };
  return Object.assign(w, { back });
}

test('a native rule that gives it to somebody all the same: the reason does not say that it waits', async () => {
  const w = await waiting();
  w.tickets.nativeRules.add(scale);
  w.tickets.insert('native', withOrgId(medium));
  await w.run('native');
  expect(standing(w, 'native').assigned).toHaveLength(1);
  expect(standing(w, 'native').reason).not.toContain('Nobody is available');
  expect((await w.decisions.latest('native'))?.assignment.state).toBe('already_assigned');
});

test('nobody available: the ticket has its team, and the reason says that it waits', async () => {
  const w = await waiting();
  expect(standing(w, 'c')).toMatchObject({ group: scale, assigned: [] });
  expect(standing(w, 'c').reason).toMatch(/Nobody is available; it is assigned as soon as somebody is back\.$/);
  expect(await w.assignWaiting()).toBe(0);
});

test('who comes back gets them, the oldest first, and the reason no longer says that it waits', async () => {
  const w = await waiting();
  w.back('an@desk.example', 'binh@desk.example');
  expect(await w.assignWaiting()).toBe(3);
  expect(w.tickets.writes.filter((write) => write.startsWith('assign'))).toEqual([
    'assign c an@desk.example',
    'assign a binh@desk.example',
    'assign b an@desk.example',
  ]);
  for (const name of ['a', 'b', 'c']) expect(standing(w, name).reason).not.toContain('Nobody');
  expect(await w.assignWaiting()).toBe(0);
});

test('what people have done meanwhile stays', async () => {
  const w = await waiting();
  w.tickets.personAssigns('a', 'linh@desk.example');
  w.tickets.personSetsGroup('b', 'CS 60p');
  w.back('binh@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, 'a').assigned).toEqual(['linh@desk.example']);
  expect(standing(w, 'b')).toMatchObject({ group: 'CS 60p', assigned: [] });
  expect(standing(w, 'c').assigned).toEqual(['binh@desk.example']);
});

test('a crash between turn and assignment is finished by the pipeline, with the agent whose turn it was', async () => {
  const w = await waiting();
  w.back('an@desk.example', 'binh@desk.example');
  w.tickets.failNext('assign');
  expect(await w.assignWaiting()).toBe(2);
  expect(standing(w, 'c').assigned).toEqual([]);
  w.clock.advance(60_000);
  await w.process().processInbox();
  const agents = ['c', 'a', 'b'].map((name) => standing(w, name).assigned);
  expect(agents).toEqual([['an@desk.example'], ['binh@desk.example'], ['an@desk.example']]);
});

test('two processes at once assign every ticket once', async () => {
  const w = await waiting();
  w.back('an@desk.example', 'binh@desk.example');
  await Promise.all([w.assignWaiting(), w.process().assignWaiting()]);
  expect(w.tickets.assignments).toHaveLength(3);
});

test('a ticket whose own write has not succeeded yet is not given up', async () => {
  const w = await waiting();
  w.tickets.insert('new', withOrgId(medium));
  w.tickets.failNext('writeRouting');
  await w.run('new').catch(() => {});
  w.back('an@desk.example');
  expect(await w.assignWaiting()).toBe(3);
  await w.run('new');
  await w.assignWaiting();
  expect(standing(w, 'new')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
});

test('one that cannot be read keeps no other waiting', async () => {
  const w = await waiting();
  w.back('an@desk.example');
  w.tickets.failNext('readPipelineTicket');
  expect(await w.assignWaiting()).toBe(2);
  expect(standing(w, 'c').assigned).toEqual([]);
  expect(await w.assignWaiting()).toBe(1);
});

test('a ticket that somebody has answered or closed meanwhile is given to nobody', async () => {
  const w = await waiting();
  w.tickets.personReplies('c');
  w.tickets.personSetsStatus('a', 'Closed');
  w.back('an@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, 'c').assigned).toEqual([]);
  expect(standing(w, 'a').assigned).toEqual([]);
  expect((await w.decisions.latest('a'))?.assignment.state).toBe('none');
});

test('nothing but the reason is written then: what somebody has put right stays', async () => {
  const w = await waiting();
  const ticket = w.tickets.tickets.get('c');
  if (ticket) Object.assign(ticket, { segment: 'SME', stored: { ...ticket.stored, segment: 'SME' } });
  w.back('an@desk.example');
  await w.assignWaiting();
  expect(w.tickets.tickets.get('c')?.segment).toBe('SME');
});

test('of two teams with many waiting neither waits for all of the other', async () => {
  const w = await waiting();
  const other = w.tickets.addTeam('CS 60p', [away('chi@desk.example')]);
  for (const name of Array.from({ length: 25 }, (_, i) => `s${i}`)) {
    w.tickets.insert(name, {});
    await w.run(name);
  }
  expect(await w.assignWaiting()).toBe(0);
  for (const member of other.members) member.availability = 'active';
  w.back('an@desk.example');
  expect(await w.assignWaiting()).toBe(28);
  const assigned = w.tickets.writes.filter((write) => write.startsWith('assign')).map((write) => write.split(' ')[1]);
  const own = Array.from({ length: 25 }, (_, i) => `s${i}`);
  expect(assigned).toEqual([...own.slice(0, 20), 'c', 'a', 'b', ...own.slice(20)]);
});
