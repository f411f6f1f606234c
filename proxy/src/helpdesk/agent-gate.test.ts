import { expect, test } from 'vitest';
import { cs, scale } from '#routing/testing/pipeline-rules.ts';
import { memoryBy } from '#runtime/memory.ts';
import { newDesk } from '#testing/desk.ts';
import { callerOf } from '#testing/desk-seed.ts';
import { AgentGate } from './agent-gate.ts';
import { createCredentialPools } from './credentials.ts';

const signal = new AbortController().signal;
const agent = callerOf('an');
const portal = callerOf('vy');
const nobody = { authorization: 'token no:body', digest: 'nobody' };

/** Tickets are for their teams: the agent is in that of the first. */
function setUp() {
  const desk = newDesk();
  desk.simulator.settings.restrictTicketsByAgentGroup = true;
  desk.insert('61307', { agent_group: scale });
  desk.insert('61308', { agent_group: cs });
  const { helpdesk, clock } = desk;
  return { desk, helpdesk, clock, gate: new AgentGate(helpdesk, memoryBy(clock)) };
}

test.each([
  ['an agent who may read it', agent, '61307', null],
  ['an agent outside a restricted team', agent, '61308', 'ticket_not_readable'],
  ['an agent, no such ticket', agent, '1', 'ticket_not_found'],
  ['a portal customer, own ticket', portal, '61307', 'not_an_agent'],
  ['a portal customer, no such ticket: learns nothing', portal, '1', 'not_an_agent'],
  ['nobody', nobody, '61307', 'unauthenticated'],
])('%s', async (_, caller, ticket, code) => {
  const { gate } = setUp();
  const opened = gate.openTicket(caller, ticket, signal);
  if (code === null) expect((await opened).ticket.name).toBe(ticket);
  else await expect(opened).rejects.toMatchObject({ code });
});

test('who may read is remembered for 10 s, who is an agent for 60 s; equal questions are one request each', async () => {
  const { desk, clock, gate } = setUp();
  const open = () => gate.openTicket(agent, '61307', signal);
  expect(await Promise.all(Array.from({ length: 32 }, open))).toHaveLength(32);
  await open();
  expect(desk.calls).toEqual(['people.identify', 'tickets.readAs']);
  clock.advance(10_000);
  await open();
  expect(desk.calls).toEqual(['people.identify', 'tickets.readAs', 'tickets.readAs']);
  clock.advance(50_000);
  await open();
  expect(desk.calls.filter((c) => c === 'people.identify')).toHaveLength(2);
});

test('what one caller may read says nothing about another, and a refusal makes it forget what it knew of a caller', async () => {
  const { desk, gate } = setUp();
  await gate.openTicket(agent, '61307', signal);
  await expect(gate.openTicket(agent, '61308', signal)).rejects.toMatchObject({ code: 'ticket_not_readable' });
  await gate.openTicket(agent, '61307', signal);
  expect(desk.calls.filter((c) => c === 'people.identify')).toHaveLength(2);
  await expect(gate.openTicket(portal, '61307', signal)).rejects.toMatchObject({ code: 'not_an_agent' });
});

test('a change while the ticket is being read counts: what was read before it serves nobody', async () => {
  const { desk, helpdesk, gate } = setUp();
  await gate.whoIs(agent, signal);
  const { readAs: readTicket } = helpdesk.tickets;
  const slow = Promise.withResolvers<void>();
  helpdesk.tickets.readAs = async (...args) => {
    const file = await readTicket(...args);
    await slow.promise;
    return file;
  };
  const before = gate.openTicket(agent, '61307', signal);
  gate.forgetTicket('61307');
  const after = gate.openTicket(agent, '61307', signal);
  slow.resolve();
  await Promise.all([before, after]);
  expect(desk.calls.filter((c) => c === 'tickets.readAs')).toHaveLength(2);
  await gate.openTicket(agent, '61307', signal);
  expect(desk.calls.filter((c) => c === 'tickets.readAs')).toHaveLength(2);
});

test('a refused credential is refused for seconds without asking, whatever it asks for', async () => {
  const { desk, clock, gate } = setUp();
  const attempts = [
    () => gate.whoIs(nobody, signal),
    () => gate.requireAgent(nobody, signal),
    () => gate.openTicket(nobody, '61307', signal),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(desk.calls).toEqual(['people.identify']);
  clock.advance(5_000);
  await expect(gate.whoIs(nobody, signal)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(desk.calls).toEqual(['people.identify', 'people.identify']);
});

test('strangers wait for each other; who is known, or comes from elsewhere, waits for none of them', async () => {
  const { helpdesk, gate } = setUp();
  await gate.whoIs(agent, signal);
  const { identify } = helpdesk.people;
  const held = Promise.withResolvers<void>();
  let asking = 0;
  helpdesk.people.identify = async (caller, ...rest) => {
    asking += 1;
    if (caller.authorization.startsWith('token guess')) await held.promise;
    return identify(caller, ...rest);
  };
  const guesses = Array.from({ length: 150 }, (_, i) =>
    gate
      .whoIs({ authorization: `token guess ${i}`, digest: `guess ${i}`, client: '192.0.2.1' }, signal)
      .catch(() => {}),
  );
  expect(asking).toBe(4);
  expect((await gate.openTicket(agent, '61307', signal)).ticket.name).toBe('61307');
  expect((await gate.whoIs({ ...portal, client: '192.0.2.2' }, signal)).id).toBe('vy@shop.example');
  held.resolve();
  await Promise.all(guesses);
});

test('one address can guess a hundred credentials, then two a second; other addresses are not affected', async () => {
  const { desk, helpdesk, clock } = setUp();
  const memory = memoryBy(clock);
  const gate = new AgentGate(helpdesk, memory, createCredentialPools(memory, clock));
  const guess = (i: number, client = '192.0.2.1') =>
    gate.whoIs({ authorization: `token guess ${i}`, digest: `guess ${i}`, client }, signal).catch(({ code }) => code);
  for (let i = 0; i < 100; i += 1) expect(await guess(i)).toBe('unauthenticated');
  desk.calls.length = 0;
  for (let i = 100; i < 150; i += 1) expect(await guess(i)).toBe('rate_limited');
  expect(desk.calls).toEqual([]);
  expect(await guess(150, '192.0.2.2')).toBe('unauthenticated');
  expect((await gate.whoIs({ ...agent, client: '192.0.2.2' }, signal)).id).toBe('an@desk.example');
  clock.advance(500);
  expect([await guess(151), await guess(152)]).toEqual(['unauthenticated', 'rate_limited']);
});
