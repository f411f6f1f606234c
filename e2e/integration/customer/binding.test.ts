import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, refusal, writesOf } from '../enrichment-kit.ts';
import { keyOf, world } from '../kit.ts';

const { tickets } = demo;
/** An org id that the CRM knows and no customer has, and a customer made by hand without one. */
const fresh = '1000700226';
const byHand = 'Khách lẻ';

describe.each(['1.24', '1.28'] as const)('a customer’s first org id on Helpdesk %s', (generation) => {
  const agentsWrite = generation === '1.24';

  test('is given by whoever may write that customer: in 1.28 not by agents', async () => {
    const w = await world({ generation });
    const input = { orgid: fresh, hd_customer: byHand };
    if (!agentsWrite) {
      const refused = { status: 403, code: 'customer_not_writable' };
      expect(await refusal(w, 'enrichCompany', input)).toMatchObject(refused);
      expect(writesOf(w)).toEqual([]);
    }
    const may = keyOf(agentsWrite ? demo.agent : demo.manager);
    expect(await call(w, 'enrichCompany', input, may)).toMatchObject({ hd_customer: byHand, outcome: 'matched' });
    expect(w.helpdesk.document('HD Customer', byHand)?.custom_platform_orgid).toBe(fresh);
    // From now on it is that company's, and any agent may refresh it.
    expect(await call(w, 'enrichCompany', { ...input, force: 1 })).toMatchObject({ hd_customer: byHand });
    expect(await call(w, 'refreshCustomer', { hd_customer: byHand })).toMatchObject({ bitrix: { status: 'matched' } });
  });

  test('of the ticket’s customer likewise; a Sync makes a customer of its own', async () => {
    const w = await world({ generation });
    const ticket = tickets.onlyTicketOrgId;
    const document = w.helpdesk.document('HD Ticket', ticket);
    if (document === undefined) throw new Error('The seed has no such ticket.');
    w.helpdesk.put('HD Ticket', { ...document, customer: byHand });
    if (!agentsWrite) {
      const refused = await refusal(w, 'enrichCompany', { orgid: fresh, ticket });
      expect(refused).toMatchObject({ status: 403, code: 'customer_not_writable' });
    }
    const synced = await call(w, 'syncTicketCustomer', { ticket, company_id: fresh, action: 'apply' });
    expect(synced.customer).toMatchObject({ created: true });
    expect(w.helpdesk.document('HD Customer', byHand)?.custom_platform_orgid ?? null).toBeNull();
  });
});
