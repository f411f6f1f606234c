import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, profileOf, world, writesOf } from '../kit.ts';

const { tickets } = demo;
const fresh = '1000700232';
const freshName = `Đèn Lồng Phố Hội - ${fresh}`;
const onScreen = { company_id: fresh, bitrix_id: '63032' };

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('on a ticket without org id: preview, apply, confirmed, undo, claimed again', async () => {
    const w = await world({ generation });
    const ticket = tickets.missingOrgId;
    const preview = await call(w, 'syncTicketCustomer', { ticket, ...onScreen, action: 'preview' });
    expect(preview).toMatchObject({
      sync_id: null,
      customer: { name: freshName, created: true },
      ticket: { linked: false },
    });
    expect(preview.changes).toContainEqual({ field: 'custom_shopplan_name', from: null, to: 'STANDARD' });
    expect(writesOf(w)).toEqual([]);

    const applied = await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    expect(applied).toMatchObject({ ticket: { customer: freshName, previous_customer: null, linked: true } });
    expect(applied.changes).toEqual(preview.changes);
    expect((await profileOf(w, ticket)).bitrix).toMatchObject({
      company: { bitrix_id: '63032' },
      lookup_trust: { level: 'confirmed', evidence: [{ code: 'linked_by_agent', value: demo.agent.name }, {}] },
    });

    const undone = await call(w, 'syncTicketCustomer', { ticket, action: 'undo', sync_id: applied.sync_id });
    expect(undone.ticket).toMatchObject({ customer: null, previous_customer: freshName });
    expect(w.helpdesk.document('HD Ticket', ticket)?.customer ?? null).toBeNull();
    expect((await profileOf(w, ticket)).bitrix.status).toBe('missing_orgid');
  });
});
