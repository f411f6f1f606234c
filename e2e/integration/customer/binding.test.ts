import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, refusal, world, writesOf } from '../kit.ts';

const { tickets } = demo;
/** An org id that the CRM knows and no customer has, and a customer made by hand without one. */
const fresh = '1000700226';
const byHand = 'Khách lẻ';

describe.each(['1.24', '1.28'] as const)('a customer’s first org id on Helpdesk %s', (generation) => {
  const agentsWrite = generation === '1.24';

  test('is given, where no ticket is named, by whoever may write that customer: in 1.28 not by agents', async () => {
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

  test('of the ticket’s customer by whoever may write the ticket; a Sync that adopts none makes one of its own', async () => {
    const handMade = async () => {
      const w = await world({ generation });
      const document = w.helpdesk.document('HD Ticket', tickets.onlyTicketOrgId);
      if (document === undefined) throw new Error('The seed has no such ticket.');
      w.helpdesk.put('HD Ticket', { ...document, customer: byHand });
      return w;
    };
    const orgIdOf = (w: Awaited<ReturnType<typeof handMade>>) =>
      w.helpdesk.document('HD Customer', byHand)?.custom_platform_orgid || null;
    const ticket = tickets.onlyTicketOrgId;

    const named = await handMade();
    const enriched = await call(named, 'enrichCompany', { orgid: fresh, ticket });
    expect(enriched).toMatchObject({ hd_customer: byHand, created: false, ticket: { linked: true } });
    expect(orgIdOf(named)).toBe(fresh);

    const adopted = await handMade();
    const sync = { ticket, company_id: fresh, adopt: byHand };
    const { sync_id } = await call(adopted, 'syncTicketCustomer', { ...sync, action: 'apply' });
    expect(orgIdOf(adopted)).toBe(fresh);
    await call(adopted, 'syncTicketCustomer', { ticket, action: 'undo', sync_id });
    expect(orgIdOf(adopted)).toBeNull();

    const synced = await handMade();
    const made = await call(synced, 'syncTicketCustomer', { ticket, company_id: fresh, action: 'apply' });
    expect(made.customer).toMatchObject({ created: true });
    expect(orgIdOf(synced)).toBeNull();
  });
});
