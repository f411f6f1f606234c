import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call } from '../enrichment-kit.ts';
import { profileOf } from '../kit.ts';
import { decisionsOf, openTodos, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const orgId = '200000376001';
const written = ['custom_customer_segment', 'custom_shopplan_name', 'custom_current_shopplan'];

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('undoing a Sync that confirmed a claim leaves what was before, and the claim open', async () => {
    const w = await routedWorld({ generation });
    const fields = { subject: 'Không in được đơn', custom_orgid: orgId };
    const ticket = await w.helpdesk.insertTicket('nguoi.la@hopthu.example', fields, { portal: true });
    await settle(w);
    const shown = () => {
      const document = w.helpdesk.document('HD Ticket', ticket);
      return { ...ticketOf(w, ticket), facts: written.map((field) => document?.[field] || null) };
    };
    const before = shown();
    expect(before).toMatchObject({ customer: null, reason: expect.stringContaining('Source=claim') });
    const judged = async () => {
      await w.idle();
      await settle(w);
    };
    const [claim] = await decisionsOf(w, ticket);

    const { bitrix } = await profileOf(w, ticket);
    const onScreen = { company_id: orgId, bitrix_id: bitrix.company?.bitrix_id ?? '' };
    const { sync_id } = await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    await judged();
    expect(shown()).toMatchObject({ group: before.group, reason: expect.stringContaining('Source=hd_customer') });
    expect((await decisionsOf(w, ticket))[0]).toMatchObject({
      cause: 'confirmed',
      inputs: { org_id: { trust: { evidence: [{ code: 'linked_by_agent', value: demo.agent.name }, {}] } } },
    });

    const undo = { ticket, action: 'undo', sync_id } as const;
    for (let time = 1; time <= 2; time += 1) {
      await call(w, 'syncTicketCustomer', undo);
      await judged();
      expect(shown()).toEqual(before);
    }
    expect(await openTodos(w, ticket)).toHaveLength(1);
    const [latest, ...earlier] = await decisionsOf(w, ticket);
    expect(earlier.map(({ cause }) => cause)).toEqual(['confirmed', 'webhook']);
    expect(latest).toMatchObject({
      ...{ cause: 'sync_undone', state: 'applied', outcome: claim?.outcome },
      ...{ inputs: { org_id: claim?.inputs.org_id }, assignment: claim?.assignment },
    });
    // Open: a Sync confirms it again.
    await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    await judged();
    expect((await decisionsOf(w, ticket))[0]?.cause).toBe('confirmed');
  });
});
