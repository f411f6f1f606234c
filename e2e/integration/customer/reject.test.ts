import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, decisionsOf, profileOf, refusal } from '../kit.ts';
import { routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

/** A shop without a customer in the helpdesk; the CRM knows its owner's address. */
const shop = { orgId: '1000700232', name: 'Đèn Lồng Phố Hội' };
const customer = `${shop.name} - ${shop.orgId}`;
const from = 'owner@phohoi.example';
const onScreen = { company_id: shop.orgId, bitrix_id: '63032' };
const written = [
  ...['custom_customer_segment', 'custom_shopplan', 'custom_platform_service_plan', 'custom_orgid'],
  ...['custom_platform_profile_orgid', 'custom_org_id'],
  ...['custom_responsible', 'custom_crm_last_checked_at', 'custom_platform_routing_reason'],
];

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('Wrong customer takes back what we wrote, is remembered for the sender alone, and can be undone', async () => {
    const w = await routedWorld({ generation });
    const send = async (sender: string) => {
      const text = `Xin chào,\nOrg ID: ${shop.orgId}`;
      const ticket = await w.helpdesk.receiveMail({ from: sender, subject: 'Không in được đơn', text });
      await settle(w);
      return ticket;
    };
    const fieldsOf = (ticket: string) => {
      const found: Record<string, unknown> = w.helpdesk.document('HD Ticket', ticket) ?? {};
      return Object.fromEntries(written.map((name) => [name, found[name] || null]));
    };
    const ticket = await send(from);
    const [decision] = await decisionsOf(w, ticket);
    expect((await profileOf(w, ticket)).bitrix).toMatchObject({ company: { bitrix_id: '63032' }, rejected: [] });
    await w.idle();
    const { group, assigned } = ticketOf(w, ticket);
    const before = fieldsOf(ticket);
    expect(ticketOf(w, ticket).customer).toBe(customer);
    expect(Object.values(before)).not.toContain(null);

    // An agent corrects one of the fields: it is theirs from now on.
    w.helpdesk.put('HD Ticket', {
      ...w.helpdesk.document('HD Ticket', ticket),
      name: ticket,
      custom_platform_service_plan: 'GROW 2030',
    });
    const stale = { ticket, ...onScreen, expected_customer: 'Somebody else' };
    expect(await refusal(w, 'rejectCompany', stale)).toMatchObject({ status: 409, code: 'changed_since' });
    const rejection = {
      ...stale,
      expected_customer: customer,
      reason: 'other_company',
      note: ' Chị ấy \n nhầm ',
    } as const;
    const done = await call(w, 'rejectCompany', rejection);
    expect(done.ticket).toEqual({ name: ticket, customer: null, previous_customer: customer });
    expect(done.changes.map(({ field }) => field).toSorted()).toEqual(
      written.filter((field) => field !== 'custom_platform_service_plan').toSorted(),
    );
    expect(fieldsOf(ticket)).toEqual({
      ...Object.fromEntries(written.map((name) => [name, null])),
      custom_platform_service_plan: 'GROW 2030',
      custom_platform_routing_reason: `Auto-routed: Company taken back. Target team=${group}.`,
    });
    expect(ticketOf(w, ticket)).toMatchObject({ customer: null, group, assigned });
    const again = await call(w, 'rejectCompany', rejection);
    expect([again.rejection_id, again.changes]).toEqual([done.rejection_id, []]);
    await settle(w);
    expect((await decisionsOf(w, ticket)).map(({ id }) => id)).toEqual([decision?.id]);
    const rejected = [
      {
        ...{ id: done.rejection_id, org_id: shop.orgId, bitrix_id: '63032', company_name: shop.name, ticket },
        ...{ agent: demo.agent.name, reason: { code: 'other_company', note: 'Chị ấy nhầm' }, at: expect.any(String) },
      },
    ];
    expect((await profileOf(w, ticket)).bitrix).toMatchObject({ status: 'missing_orgid', company: null, rejected });

    const second = await send(from);
    expect(ticketOf(w, second)).toMatchObject({
      group: 'CS 60p',
      customer: null,
      status: 'Complete',
      orgId: null,
    });
    expect((await decisionsOf(w, second))[0]?.inputs).toMatchObject({ org_id: null, rejected: [shop.orgId] });
    const typed = { subject: 'x', raised_by: from, custom_orgid: shop.orgId };
    const third = await w.helpdesk.insertTicket(from, typed, { portal: true });
    await settle(w);
    // What was said on a mail says nothing of the sender's own session.
    expect(ticketOf(w, third)).toMatchObject({ group, orgId: shop.orgId });
    expect((await profileOf(w, third)).bitrix).toMatchObject({ company: { bitrix_id: '63032' }, rejected: [] });
    const stranger = await send('khach.la@hopthu.example');
    expect((await profileOf(w, stranger)).bitrix).toMatchObject({ company: { bitrix_id: '63032' }, rejected: [] });

    // The pipeline's and the workflow's way in: no link, whoever asks.
    const enriched = await call(w, 'enrichCompany', { orgid: shop.orgId, ticket: second });
    expect(enriched.ticket).toMatchObject({ linked: false });

    // A Sync is a later word; undone, the earlier one holds again.
    const { sync_id } = await call(w, 'syncTicketCustomer', { ticket: third, ...onScreen });
    expect((await profileOf(w, second)).bitrix.rejected).toEqual([]);
    expect((await profileOf(w, third)).bitrix).toMatchObject({ lookup_trust: { level: 'confirmed' }, rejected: [] });
    await call(w, 'syncTicketCustomer', { ticket: third, action: 'undo', sync_id });
    expect((await profileOf(w, second)).bitrix).toMatchObject({ company: null, rejected });
    expect((await profileOf(w, third)).bitrix).toMatchObject({ company: { bitrix_id: '63032' }, rejected: [] });

    const undo = { action: 'undo', rejection_id: done.rejection_id } as const;
    const other = { ticket: stranger, ...undo };
    expect(await refusal(w, 'rejectCompany', other)).toMatchObject({ status: 404, code: 'rejection_not_found' });
    const customersKey = keyOf(demo.portal);
    expect(await refusal(w, 'rejectCompany', { ticket, ...undo }, customersKey)).toMatchObject({ status: 403 });
    const undone = await call(w, 'rejectCompany', { ticket, ...undo });
    expect(undone.ticket).toEqual({ name: ticket, customer, previous_customer: null });
    expect(fieldsOf(ticket)).toEqual({ ...before, custom_platform_service_plan: 'GROW 2030' });
    await call(w, 'rejectCompany', { ticket, ...undo });
    expect((await profileOf(w, third)).bitrix).toMatchObject({ company: { bitrix_id: '63032' }, rejected: [] });
  });

  test('a Sync of the wrong company is taken back to what was before; what the helpdesk itself puts there stays', async () => {
    const w = await routedWorld({ generation });
    const ticket = demo.tickets.likely;
    const before = w.helpdesk.document('HD Ticket', ticket)?.customer;
    await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    const rejection = { ticket, ...onScreen, expected_customer: customer };
    const { rejection_id, ...done } = await call(w, 'rejectCompany', rejection);
    expect(done.ticket).toMatchObject({ customer: before, previous_customer: customer });
    await call(w, 'rejectCompany', { ticket, action: 'undo', rejection_id });
    expect((await profileOf(w, ticket)).bitrix).toMatchObject({
      company: { bitrix_id: '63032' },
      lookup_trust: { level: 'confirmed', evidence: [{ code: 'linked_by_agent' }, {}] },
    });

    // Its contact is a member of the customer, which 1.24 gives to a ticket without one on every save.
    const member = demo.tickets.matched;
    const own = { ticket: member, company_id: '200000376001', bitrix_id: '63002' };
    const kept = await call(w, 'rejectCompany', own);
    expect(kept.ticket.customer).toBe(generation === '1.24' ? kept.ticket.previous_customer : null);
    expect(w.helpdesk.document('HD Ticket', member)?.customer || null).toBe(kept.ticket.customer);
    expect((await profileOf(w, member)).bitrix).toMatchObject({ company: null, lookup_candidates: [] });
  });
});
