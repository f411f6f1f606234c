import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call } from '../enrichment-kit.ts';
import { decisionsOf, openTodos, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const medium = { company_id: '200000376001', bitrix_id: '63002' };

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a Sync sends the ticket on where the agent asks for it; its undo leaves team and agent, and nothing of the company', async () => {
    const w = await routedWorld({ generation });
    const mail = { from: 'khach.la@hopthu.example', subject: 'Không in được đơn', text: '<p>Giúp mình với</p>' };
    const ticket = await w.helpdesk.receiveMail(mail);
    await settle(w);
    const before = ticketOf(w, ticket);
    expect(before).toMatchObject({ group: 'CS 60p', customer: null, status: 'Complete' });
    const preview = await call(w, 'syncTicketCustomer', { ticket, ...medium, action: 'preview' });
    expect(preview.team).toBe('Medium - Scale');
    expect(ticketOf(w, ticket)).toEqual(before);

    const stays = await call(w, 'syncTicketCustomer', { ticket, ...medium });
    expect(ticketOf(w, ticket)).toMatchObject({ group: 'CS 60p', assigned: before.assigned });
    await call(w, 'syncTicketCustomer', { ticket, action: 'undo', sync_id: stays.sync_id });

    const sending = { ticket, ...medium, reroute: true, expected_customer: '' };
    const applied = await call(w, 'syncTicketCustomer', sending);
    expect(applied.team).toBe('Medium - Scale');
    expect((await call(w, 'syncTicketCustomer', sending)).team).toBe('Medium - Scale');
    await settle(w);
    const sent = ticketOf(w, ticket);
    expect(sent).toMatchObject({ group: 'Medium - Scale', status: 'Complete', orgId: medium.company_id });
    expect(sent.reason).toBe(
      'Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=hd_customer. Target team=Medium - Scale.',
    );
    expect(await openTodos(w, ticket)).toMatchObject([
      { allocated_to: sent.assigned[0], description: 'Auto round-robin assignment for Medium - Scale' },
    ]);
    const decisions = await decisionsOf(w, ticket);
    expect(decisions.map(({ cause }) => cause)).toEqual(['sync', 'webhook']);
    expect(decisions[0]?.inputs.org_id?.trust).toMatchObject({
      level: 'confirmed',
      evidence: [{ code: 'linked_by_agent', value: demo.agent.name }, {}],
    });

    const undo = { ticket, action: 'undo', sync_id: applied.sync_id } as const;
    expect(await call(w, 'syncTicketCustomer', undo)).toMatchObject({ ticket: { customer: null } });
    await call(w, 'syncTicketCustomer', undo);
    await settle(w);
    expect(ticketOf(w, ticket)).toEqual({
      ...{ ...before, group: 'Medium - Scale', assigned: sent.assigned },
      reason: 'Auto-routed: Company taken back. Target team=Medium - Scale.',
    });
    expect((await decisionsOf(w, ticket)).map(({ cause }) => cause)).toEqual(['sync_undone', 'sync', 'webhook']);
  });
});
