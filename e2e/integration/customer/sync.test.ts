import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, refusal, writesOf } from '../enrichment-kit.ts';
import { keyOf, profileOf, world } from '../kit.ts';

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

  test('a ticket of another customer gets that customer back, and only while nobody has changed it', async () => {
    const w = await world({ generation });
    const ticket = tickets.likely;
    const before = w.helpdesk.document('HD Ticket', ticket)?.customer;
    const first = await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    const second = await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    expect([second.sync_id, second.ticket.previous_customer]).toEqual([first.sync_id, before]);
    const undo = { ticket, action: 'undo', sync_id: first.sync_id } as const;
    await call(w, 'syncTicketCustomer', undo);
    expect(w.helpdesk.document('HD Ticket', ticket)?.customer).toBe(before);
    await call(w, 'syncTicketCustomer', undo);

    const again = await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
    w.helpdesk.put('HD Ticket', { ...w.helpdesk.document('HD Ticket', ticket), name: ticket, customer: 'Khách lẻ' });
    expect(await refusal(w, 'syncTicketCustomer', { ...undo, sync_id: again.sync_id })).toMatchObject({
      status: 409,
      code: 'changed_since',
    });
    expect(w.helpdesk.document('HD Ticket', ticket)?.customer).toBe('Khách lẻ');
  });
});

test('T4: where panel and link would be two companies, nothing is linked and both are named', async () => {
  const w = await world();
  const ticket = tickets.hostileName;
  const panelOnly = w.crm.company('63030');
  if (!panelOnly) throw new Error('The seed lacks the company.');
  w.crm.putCompany({ ...panelOnly, UF_CRM_PLATFORM_ORG_ID: '' });
  const shown = (await profileOf(w, ticket)).bitrix.company?.bitrix_id ?? '';
  // That answer's own write is none of the sync's.
  await w.idle();
  w.helpdesk.clearJournal();
  const error = await refusal(w, 'syncTicketCustomer', { ticket, company_id: '1000700230', bitrix_id: shown });
  expect(error).toMatchObject({
    status: 409,
    code: 'identity_conflict',
    conflict: { code: 'other_company_matched', asked: '63030', found: '63103' },
  });
  expect(writesOf(w)).toEqual([]);
});

test('what enrichment finds later does not take a ticket from the customer that an agent linked', async () => {
  const w = await world();
  const ticket = tickets.confirmed;
  await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
  const data = await call(w, 'enrichCompany', { orgid: '1000700218', ticket });
  expect(data.ticket).toMatchObject({ linked: false, previous_customer: freshName });
  expect(w.helpdesk.document('HD Ticket', ticket)?.customer).toBe(freshName);
});

test('a sync of one ticket cannot be undone through another', async () => {
  const w = await world();
  const { sync_id } = await call(w, 'syncTicketCustomer', { ticket: tickets.missingOrgId, ...onScreen });
  const undo = { ticket: tickets.matched, action: 'undo', sync_id } as const;
  expect(await refusal(w, 'syncTicketCustomer', undo)).toMatchObject({ status: 404, code: 'sync_not_found' });
});

test('the sync of one agent confirms for another, who may undo it', async () => {
  const w = await world();
  const ticket = tickets.missingOrgId;
  const { sync_id } = await call(w, 'syncTicketCustomer', { ticket, ...onScreen });
  const manager = keyOf(demo.manager);
  expect((await profileOf(w, ticket, { authorization: manager })).bitrix.lookup_trust?.level).toBe('confirmed');
  await call(w, 'syncTicketCustomer', { ticket, action: 'undo', sync_id }, manager);
  expect(w.helpdesk.document('HD Ticket', ticket)?.customer ?? null).toBeNull();
});
