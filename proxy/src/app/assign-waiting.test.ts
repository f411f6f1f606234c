import { expect, test } from 'vitest';
import type { TeamMember } from '../ports/helpdesk-tickets.ts';
import { medium, pipelineWorld, scale, standing, withOrgId } from './testing/pipeline-kit.ts';

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
  await expect(w.assignWaiting()).rejects.toThrow();
  w.clock.advance(60_000);
  await w.process().workOff();
  expect(standing(w, 'c').assigned).toEqual(['an@desk.example']);
  await w.assignWaiting();
  expect(standing(w, 'a').assigned).toEqual(['binh@desk.example']);
});

test('two processes at once assign every ticket once', async () => {
  const w = await waiting();
  w.back('an@desk.example', 'binh@desk.example');
  await Promise.all([w.assignWaiting(), w.process().assignWaiting()]);
  expect(w.tickets.assignments).toHaveLength(3);
});
