import { demo, keyOf } from '@deskside/simulators/seed/index';
import { beforeAll, describe, expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { openWorld, profileOf, refusal, world } from '../kit.ts';

const { tickets } = demo;

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  /** One for all who are refused: what it remembers of one must let no other in. */
  let shared: World;
  beforeAll(async () => {
    const { world, close } = await openWorld({ generation });
    shared = world;
    return close;
  });

  test.each([
    ['a portal customer, a ticket that does not exist', keyOf(demo.portal), '999999', 403, 'not_an_agent'],
    ['a wrong secret', `token ${demo.agent.apiKey}:wrong`, tickets.matched, 401, 'unauthenticated'],
    ['an agent, a missing ticket', keyOf(demo.agent), '999999', 404, 'ticket_not_found'],
    [
      'an agent, the number with letters behind it',
      keyOf(demo.agent),
      `${tickets.matched}abc`,
      404,
      'ticket_not_found',
    ],
    ['an agent, the number with a zero before it', keyOf(demo.agent), `0${tickets.matched}`, 404, 'ticket_not_found'],
    ['an agent, SQL', keyOf(demo.agent), "1' or '1'='1", 404, 'ticket_not_found'],
    ['an agent, blanks around the number', keyOf(demo.agent), ` ${tickets.matched} `, 404, 'ticket_not_found'],
    ['an agent, a path', keyOf(demo.agent), '../HD Customer/x', 404, 'ticket_not_found'],
  ])('%s: refused', async (_, authorization, ticket, status, code) => {
    expect(await refusal(shared, 'customerProfile', { ticket: ticket }, authorization)).toMatchObject({ status, code });
  });

  test('an agent outside of a restricted team is refused, one inside is not', async () => {
    const w = await world({ generation });
    w.helpdesk.settings.restrictTicketsByAgentGroup = true;
    expect(
      await refusal(w, 'customerProfile', { ticket: tickets.restrictedTeam }, keyOf(demo.otherAgent)),
    ).toMatchObject({
      status: 403,
      code: 'ticket_not_readable',
    });
    expect((await profileOf(w, tickets.restrictedTeam)).ticket.name).toBe(tickets.restrictedTeam);
  });
});

test('a ticket named by series is found under its name', async () => {
  const w = await world({ generation: '1.28' });
  const stored = w.helpdesk.document('HD Ticket', tickets.matched);
  if (!stored) throw new Error('The seed lacks the ticket');
  w.helpdesk.put('HD Ticket', { ...stored, name: '0035' });
  expect((await profileOf(w, '0035')).ticket.name).toBe('0035');
  expect(await refusal(w, 'customerProfile', { ticket: '35' }, keyOf(demo.agent))).toMatchObject({ status: 404 });
});
