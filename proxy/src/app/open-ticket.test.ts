import { expect, test } from 'vitest';
import { createGate } from './open-ticket.ts';
import { fakeHelpdesk, ticketFile } from './testing/fake-helpdesk.ts';
import { fakeClock, fakeMemory } from './testing/fakes.ts';

const signal = new AbortController().signal;
const agent = { authorization: 'token agent', digest: 'agent' };
const portal = { authorization: 'token portal', digest: 'portal' };
const nobody = { authorization: 'token nobody', digest: 'nobody' };

function setUp() {
  const helpdesk = fakeHelpdesk(
    { 61307: ticketFile('61307', '1000069001'), 61308: ticketFile('61308', null) },
    {
      'token agent': { id: 'an@desk.example', fullName: 'An', isAgent: true },
      'token portal': { id: 'vy@shop.example', fullName: 'Vy', isAgent: false },
    },
  );
  helpdesk.denied.add('61308');
  const clock = fakeClock();
  return { helpdesk, clock, gate: createGate({ helpdesk, memory: fakeMemory(clock) }) };
}

test.each([
  ['an agent who may read it', agent, '61307', null],
  ['an agent outside a restricted team', agent, '61308', 'ticket_not_readable'],
  ['an agent, no such ticket', agent, '1', 'ticket_not_found'],
  ['a portal customer, his own ticket', portal, '61307', 'not_an_agent'],
  ['a portal customer, no such ticket: he learns nothing', portal, '1', 'not_an_agent'],
  ['nobody', nobody, '61307', 'unauthenticated'],
])('%s', async (_, caller, ticket, code) => {
  const { gate } = setUp();
  const opened = gate.openTicket(caller, ticket, signal);
  if (code === null) expect((await opened).ticket.name).toBe(ticket);
  else await expect(opened).rejects.toMatchObject({ code });
});

test('who may read is remembered for 10 s, who is an agent for 60 s', async () => {
  const { helpdesk, clock, gate } = setUp();
  const open = () => gate.openTicket(agent, '61307', signal);
  await open();
  await open();
  expect(helpdesk.calls).toEqual(['identify', 'readTicket']);
  clock.advance(10_000);
  await open();
  expect(helpdesk.calls).toEqual(['identify', 'readTicket', 'readTicket']);
  clock.advance(50_000);
  await open();
  expect(helpdesk.calls.filter((c) => c === 'identify')).toHaveLength(2);
});

test('what one caller may read says nothing about another', async () => {
  const { gate } = setUp();
  await gate.openTicket(agent, '61307', signal);
  await expect(gate.openTicket(portal, '61307', signal)).rejects.toMatchObject({ code: 'not_an_agent' });
});

test('a refusal makes the service forget what it knew of the caller', async () => {
  const { helpdesk, gate } = setUp();
  await gate.openTicket(agent, '61307', signal);
  await expect(gate.openTicket(agent, '61308', signal)).rejects.toMatchObject({ code: 'ticket_not_readable' });
  await gate.openTicket(agent, '61307', signal);
  expect(helpdesk.calls.filter((c) => c === 'identify')).toHaveLength(2);
});

test('a changed ticket is read again, by every caller', async () => {
  const { helpdesk, gate } = setUp();
  await gate.openTicket(agent, '61307', signal);
  gate.forgetTicket('61307');
  await gate.openTicket(agent, '61307', signal);
  expect(helpdesk.calls.filter((c) => c === 'readTicket')).toHaveLength(2);
});
