import { callProxy } from '@deskside/shared/client';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { keyOf, world } from '../kit.ts';

const { tickets } = demo;
const customer = 'Gốm Sứ Làng Mơ - 200000376001';

const ask = ({ proxyUrl: baseUrl }: World, ticket: string, user = demo.agent) =>
  callProxy('aroundTicket', { ticket }, { baseUrl, authorization: keyOf(user) });

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('the other tickets of a customer, for whom they are, and never those of a company that is merely claimed', async () => {
    const w = await world({ generation });
    const linked = await ask(w, tickets.matched);
    expect(linked).toMatchObject({
      ok: true,
      data: {
        customer: { name: customer, linked: true, trust: 'confirmed' },
        recent: [
          { name: tickets.forgedLink, path: `/helpdesk/tickets/${tickets.forgedLink}`, is_open: true },
          { name: '2', team: 'CS 60p' },
          {},
          {},
        ],
        counts: { open: expect.any(Number), all: expect.any(Number), is_more: false },
      },
    });

    // Linked by its sender: the agent may read the customer's tickets, but is told that nobody vouches.
    expect(await ask(w, tickets.forgedLink)).toMatchObject({
      data: { customer: { name: customer, linked: true, trust: 'claimed' } },
    });
    expect(await ask(w, tickets.claimed)).toMatchObject({ data: { customer: null, recent: [] } });

    // Known by the CRM's address only, and not linked yet.
    const stored = w.helpdesk.document('HD Ticket', tickets.likelyByCrmEmail);
    if (!stored?.customer) throw new Error('The seed lacks the ticket.');
    w.helpdesk.put('HD Ticket', { ...stored, customer: null, custom_orgid: '1000700229' });
    expect(await ask(w, tickets.likelyByCrmEmail)).toMatchObject({
      data: { customer: { name: stored.customer, linked: false, trust: 'likely' }, counts: { open: 1 } },
    });

    // In restricted teams the helpdesk leaves out, without a word, what a person may not see.
    w.helpdesk.settings.restrictTicketsByAgentGroup = true;
    for (const name of ['2', '61201']) {
      const ticket = w.helpdesk.document('HD Ticket', name);
      w.helpdesk.put('HD Ticket', { ...ticket, name, agent_group: 'Medium - Scale' });
    }
    const theirs = w.helpdesk.document('HD Ticket', tickets.matched);
    w.helpdesk.put('HD Ticket', { ...theirs, name: tickets.matched, agent_group: 'CS 60p' });
    const restricted = await ask(w, tickets.matched, demo.otherAgent);
    const names = restricted.ok ? restricted.data.recent.map(({ name }) => name) : [];
    expect(names).toContain('61200');
    expect(names).not.toContain('2');
    expect(names).not.toContain('61201');
    expect(await ask(w, tickets.matched, demo.portal)).toMatchObject({ ok: false, error: { code: 'not_an_agent' } });
  });
});
