import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call } from '../enrichment-kit.ts';
import { decisionsOf, openTodos, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const medium = { company_id: '200000376001', bitrix_id: '63002' };

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a Sync moves team and agent by the rules, as its preview said, and its undo moves them back', async () => {
    const w = await routedWorld({ generation });
    const mail = { from: 'khach.la@hopthu.example', subject: 'Không in được đơn', text: '<p>Giúp mình với</p>' };
    const ticket = await w.helpdesk.receiveMail(mail);
    await settle(w);
    const before = ticketOf(w, ticket);
    expect(before).toMatchObject({ group: 'CS 60p', customer: null, status: 'Missing OrgID' });
    const preview = await call(w, 'syncTicketCustomer', { ticket, ...medium, action: 'preview' });
    expect(preview.move).toEqual({ team: 'Medium - Scale', from: 'CS 60p', agent: 'turn', done: false });
    expect(ticketOf(w, ticket)).toEqual(before);

    const stays = await call(w, 'syncTicketCustomer', { ticket, ...medium });
    expect(stays.move ?? null).toBeNull();
    expect(ticketOf(w, ticket)).toMatchObject({ group: 'CS 60p', assigned: before.assigned });
    await call(w, 'syncTicketCustomer', { ticket, action: 'undo', sync_id: stays.sync_id });

    const moving = { ticket, ...medium, move_to: 'Medium - Scale', expected_customer: '' };
    const applied = await call(w, 'syncTicketCustomer', moving);
    expect(applied.move).toMatchObject({ team: 'Medium - Scale', done: true });
    expect((await call(w, 'syncTicketCustomer', moving)).move).toEqual(applied.move);
    await settle(w);
    const moved = ticketOf(w, ticket);
    expect(moved).toMatchObject({ group: 'Medium - Scale', status: 'Complete' });
    expect(moved.reason).toBe(
      'Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=hd_customer. Target team=Medium - Scale.',
    );
    expect(moved.assigned).toHaveLength(1);
    expect(await openTodos(w, ticket)).toMatchObject([
      { allocated_to: moved.assigned[0], description: 'Auto round-robin assignment for Medium - Scale' },
    ]);
    const [decision, ...earlier] = await decisionsOf(w, ticket);
    expect(earlier).toHaveLength(1);
    expect(decision).toMatchObject({
      cause: 'sync',
      state: 'applied',
      sync: { id: applied.sync_id, agent: demo.agent.name, before: { agent: before.assigned[0] } },
      inputs: { org_id: { trust: { level: 'confirmed' } }, agent_group: { name: 'CS 60p', set_by: 'deskside' } },
    });

    const undo = { ticket, action: 'undo', sync_id: applied.sync_id } as const;
    expect(await call(w, 'syncTicketCustomer', undo)).toMatchObject({
      moved_back: 'CS 60p',
      ticket: { customer: null },
    });
    await call(w, 'syncTicketCustomer', undo);
    await settle(w);
    expect(ticketOf(w, ticket)).toEqual(before);
    expect(await openTodos(w, ticket)).toHaveLength(1);
    expect((await decisionsOf(w, ticket)).map(({ cause }) => cause)).toEqual(['sync_undone', 'sync', 'webhook']);
  });
});
