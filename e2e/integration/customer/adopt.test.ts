import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, refusal, writesOf } from '../enrichment-kit.ts';
import { keyOf, profileOf, world } from '../kit.ts';

const { tickets } = demo;
/** A company without a customer of its own, and a customer that somebody made by hand under its name. */
const orgId = '1000700232';
const onScreen = { company_id: orgId, bitrix_id: '63032' };
const byHand = 'đèn lồng phố hội';
const made = `Đèn Lồng Phố Hội - ${orgId}`;

describe.each(['1.24', '1.28'] as const)('Sync and a customer made by hand, Helpdesk %s', (generation) => {
  /** Agents may write customers in 1.24 only, managers in both. */
  const agentsWrite = generation === '1.24';
  const manager = keyOf(demo.manager);

  async function handMade() {
    const w = await world({ generation });
    w.helpdesk.put('HD Customer', { name: byHand, customer_name: byHand, custom_shopplan_name: 'typed' });
    const customer = () => w.helpdesk.document('HD Customer', byHand);
    const ticket = () => w.helpdesk.document('HD Ticket', tickets.missingOrgId)?.customer ?? null;
    return { w, customer, ticket };
  }

  test('it is offered beside a new one, to whoever may write it; the other agents are told that they may not', async () => {
    const { w } = await handMade();
    const preview = { ticket: tickets.missingOrgId, ...onScreen, action: 'preview' } as const;
    const offered = { name: byHand, of_ticket: false };
    const [agents, managers] = [
      await call(w, 'syncTicketCustomer', preview),
      await call(w, 'syncTicketCustomer', preview, manager),
    ];
    expect(agents.customer).toEqual({ name: made, created: true });
    expect(agents.adoptable).toEqual([{ ...offered, may_adopt: agentsWrite }]);
    expect(managers.adoptable).toEqual([{ ...offered, may_adopt: true }]);
    expect(writesOf(w)).toEqual([]);
    if (agentsWrite) return;
    for (const action of ['preview', 'apply'] as const) {
      const refused = await refusal(w, 'syncTicketCustomer', { ...preview, action, adopt: byHand });
      expect(refused).toMatchObject({ status: 403, code: 'customer_not_writable' });
    }
    expect(writesOf(w)).toEqual([]);
  });

  test('adopted it is the company’s; undone it is what it was', async () => {
    const { w, customer, ticket } = await handMade();
    const before = customer();
    const input = { ticket: tickets.missingOrgId, ...onScreen, adopt: byHand, expected_customer: '' };
    const preview = await call(w, 'syncTicketCustomer', { ...input, action: 'preview' }, manager);
    expect(preview.customer).toEqual({ name: byHand, created: false, adopted: true });
    const applied = await call(w, 'syncTicketCustomer', input, manager);
    expect(applied.changes).toEqual(preview.changes);
    expect(customer()).toMatchObject({ custom_platform_orgid: orgId, custom_crm_company_id: '63032' });
    expect([ticket(), w.helpdesk.document('HD Customer', made)]).toEqual([byHand, undefined]);
    expect((await profileOf(w, tickets.missingOrgId)).bitrix.lookup_trust?.level).toBe('confirmed');

    const undo = { ticket: tickets.missingOrgId, action: 'undo', sync_id: applied.sync_id } as const;
    const undone = await call(w, 'syncTicketCustomer', undo, manager);
    expect(undone.changes).toContainEqual({ field: 'custom_platform_orgid', from: orgId, to: null });
    expect(undone.changes).toContainEqual({ field: 'custom_shopplan_name', from: 'STANDARD', to: 'typed' });
    const blank = (value: unknown) => value === undefined || value === null || value === '' || value === 0;
    const values = (document: typeof before) =>
      Object.entries(document ?? {}).filter(([field, value]) => !field.startsWith('modified') && !blank(value));
    expect(values(customer())).toEqual(values(before));
    expect(ticket()).toBeNull();
    const again = await call(w, 'syncTicketCustomer', { ...input, adopt: undefined, action: 'preview' }, manager);
    expect(again.customer).toEqual({ name: made, created: true });
  });

  test('the ticket’s own is offered as such, whatever its name', async () => {
    const { w } = await handMade();
    const ticket = w.helpdesk.document('HD Ticket', tickets.missingOrgId);
    w.helpdesk.put('HD Ticket', { ...ticket, name: tickets.missingOrgId, customer: 'Khách lẻ' });
    const preview = { ticket: tickets.missingOrgId, ...onScreen, action: 'preview' } as const;
    expect((await call(w, 'syncTicketCustomer', preview)).adoptable).toEqual([
      { name: 'Khách lẻ', of_ticket: true, may_adopt: true },
      { name: byHand, of_ticket: false, may_adopt: agentsWrite },
    ]);
  });
});
