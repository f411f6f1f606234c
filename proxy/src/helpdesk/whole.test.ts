import { OrgId } from '@deskside/shared/orgid';
import { demo, staffEmail } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const orgId = OrgId.parse('200000376001');
const { matched, likely, confirmed, missingOrgId } = demo.tickets;
const stamp = (n: number) => `2026-11-20 12:00:00.${String(n).padStart(6, '0')}`;

/** Makes customers and contacts of an agent on a site. */
const customersOf = (site: ReturnType<typeof useSimulatedSite>) => ({
  put: (name: string, more: object) => {
    const usual = { owner: staffEmail('an'), modified_by: staffEmail('an'), creation: stamp(1) };
    site.simulator.put('HD Customer', { name, ...usual, ...more });
  },
  contact: (name: string, owner: string, link: string) =>
    site.simulator.put('Contact', {
      ...{ name, owner, creation: stamp(1) },
      links: [{ link_doctype: 'HD Customer', link_name: link }],
      email_ids: [{ email_id: `${name}@x.example` }, { email_id: `2.${name}@x.example` }],
      phone_nos: [{ phone: '0901 000 001' }, { phone: '0901 000 002' }],
    }),
});

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const put = (name: string, change: object, from = name) =>
    site.simulator.put('HD Ticket', { ...site.simulator.document('HD Ticket', from), name, ...change });
  const putTicket = (name: string, fields: object) => put(name, fields, missingOrgId);

  it('the tickets of a person are those that they raised or created, whatever the case of their address', async () => {
    putTicket('900001', { raised_by: 'Lan@Shop.example', owner: 'x@y.example' });
    putTicket('900002', { raised_by: 'x@y.example', owner: 'lan@shop.example' });
    putTicket('900003', { raised_by: 'an.lan@shop.example', owner: 'x@y.example' });
    const found = await site.helpdesk.whole.ticketsOfPerson('lan@shop.example', signal);
    expect(found.toSorted()).toEqual(['900001', '900002']);
  });

  it('the tickets of a company carry its org id or are linked to its customer', async () => {
    site.simulator.put('HD Customer', { name: 'Hand-made', custom_platform_orgid: orgId });
    putTicket('900001', { customer: null, custom_orgid: orgId });
    putTicket('900002', { customer: 'Hand-made', custom_orgid: null });
    putTicket('900003', { customer: null, custom_orgid: `${orgId}2` });
    const { tickets, customers } = await site.helpdesk.whole.ticketsOfCompany(orgId, signal);
    expect(tickets.filter((name) => name.startsWith('9000')).toSorted()).toEqual(['900001', '900002']);
    expect(customers).toContain('Hand-made');
  });

  describe('customers with their members', () => {
    const read = async () => {
      const all = await site.helpdesk.whole.customersWithMembers(signal);
      return new Map(all.map((customer) => [customer.name, customer]));
    };
    const { put, contact } = customersOf(site);

    it('have each all their addresses and telephones, and who wrote them', async () => {
      const contacts = [{ contact_name: 'ann' }, { contact_name: 'ben' }];
      put('Hand', { domain: 'hand.example', custom_crm_company_id: '9001', contacts });
      // The first's agent has left meanwhile.
      contact('ann', staffEmail('minh'), 'Hand');
      contact('ben', demo.forger.name, 'Hand');
      const member = (name: string, isDesks: boolean) => ({
        emails: [`${name}@x.example`, `2.${name}@x.example`],
        phones: ['0901 000 001', '0901 000 002'],
        isDesks,
      });
      expect((await read()).get('Hand')).toMatchObject({
        ...{ orgId: '', crmId: '9001', domain: 'hand.example', isDesks: true },
        members: [member('ann', true), member('ben', false)],
      });
    });

    it('are not the desk’s where a website user may have written them', async () => {
      put('Managed', { contacts: [{ contact_name: 'cat', is_manager: 1 }] });
      put('Edited', { modified_by: demo.portal.name, contacts: [] });
      contact('cat', staffEmail('an'), 'Managed');
      const all = await read();
      // Before 1.28 nobody on the portal may write a customer.
      const isDesks = generation === '1.24';
      expect([all.get('Managed')?.isDesks, all.get('Edited')?.isDesks]).toEqual([isDesks, isDesks]);
    });
  });

  const stampLater = () => site.helpdesk.stampOf(noon + 60_000, signal);

  it('tickets modified since a stamp come in the order of their stamps and names, page by page', async () => {
    const since = await stampLater();
    const names = [matched, likely, confirmed, missingOrgId];
    const stamps = [2, 1, 2, 0].map((micros) => `${since}.00000${micros}`);
    for (const [index, name] of names.entries()) put(name, { modified: stamps[index] });
    const list = async (from: string, limit: number, offset: number) =>
      (await site.helpdesk.ticketLists.modifiedSince(from, { limit, offset }, signal)).tickets;
    const all = await list(since, 10, 0);
    expect(all.map(({ name }) => name)).toEqual([missingOrgId, likely, ...[matched, confirmed].sort()]);
    expect(all.map(({ modified }) => modified)).toEqual(stamps.toSorted());
    expect(all[0]?.creation).toBe(site.simulator.document('HD Ticket', missingOrgId)?.creation);
    expect([...(await list(since, 3, 0)), ...(await list(since, 3, 3))]).toEqual(all);
    expect(await list(`${since}.000002`, 10, 0)).toEqual(all.slice(2));
    expect(await list(`${since}.000003`, 10, 0)).toEqual([]);
  });

  it('a look at tickets tells which are finished and when they were changed, and leaves out what is not there', async () => {
    const statuses = { [matched]: 'Closed', [likely]: 'Resolved', [confirmed]: 'Replied' };
    const modified = `${await site.helpdesk.stampOf(noon, signal)}.000001`;
    for (const [name, status] of Object.entries(statuses)) put(name, { status, modified });
    // When it was changed cannot be read, so nobody can tell how long it has been closed.
    put(missingOrgId, { status: 'Closed', modified: 'x' });
    expect(await site.helpdesk.ticketLists.lookAt([...Object.keys(statuses), missingOrgId, '999999'], signal)).toEqual(
      new Map([
        [matched, { closed: true, modifiedAt: noon }],
        [likely, { closed: true, modifiedAt: noon }],
        [confirmed, { closed: false, modifiedAt: noon }],
        [missingOrgId, { closed: false, modifiedAt: 0 }],
      ]),
    );
  });

  it('records have paths of this version, whatever their names hold', async () => {
    const pathOf = await site.helpdesk.readPaths(signal);
    const paths = [pathOf('ticket', '0035'), pathOf('customer', 'Bếp "Xinh" & Gấu/#1?')];
    const name = 'B%E1%BA%BFp%20%22Xinh%22%20%26%20G%E1%BA%A5u%2F%231%3F';
    const customers = generation === '1.28' ? '/helpdesk/customers' : '/app/hd-customer';
    expect(paths).toEqual(['/helpdesk/tickets/0035', `${customers}/${name}`]);
  });
});

describe('more than a page', () => {
  const site = useSimulatedSite();

  it('every customer comes once, page by page, with its org id and when the CRM was asked about it', async () => {
    const all = async () => {
      const customers = [];
      for await (const customer of site.helpdesk.whole.customers(signal)) customers.push(customer);
      return customers;
    };
    const before = (await all()).length;
    for (let i = 0; i < 600; i += 1) {
      const creation = stamp(i % 60);
      const fields = { custom_platform_orgid: `${i}`, custom_crm_last_checked_at: creation, creation };
      site.simulator.put('HD Customer', { name: `Shop ${i}`, ...fields });
    }
    const customers = await all();
    expect([customers.length, new Set(customers.map(({ name }) => name)).size]).toEqual([before + 600, before + 600]);
    const seventh = customers.find(({ name }) => name === 'Shop 7');
    expect(seventh).toEqual({ name: 'Shop 7', orgId: '7', checkedAt: stamp(7) });
    expect(customers.find(({ name }) => name === 'Shop 0')?.orgId).toBe('');
  });

  it('of customers with their members, they are all read, however many were made at the same moment', async () => {
    const { put, contact } = customersOf(site);
    for (let n = 0; n < 520; n += 1) {
      put(`Many ${n}`, { creation: stamp(n < 510 ? 7 : n), contacts: [{ contact_name: `many${n}` }] });
      contact(`many${n}`, staffEmail('an'), `Many ${n}`);
    }
    const read = await site.helpdesk.whole.customersWithMembers(signal);
    const all = read.filter(({ name }) => name.startsWith('Many '));
    expect([all.length, new Set(all.map(({ members }) => members.length))]).toEqual([520, new Set([1])]);
  });

  it('the tickets of a customer are at most five hundred, and it is said that there are more', async () => {
    const creation = '2026-11-20 11:00:00.000000';
    for (let at = 0; at < 501; at += 1)
      site.simulator.put('HD Ticket', {
        ...site.simulator.document('HD Ticket', matched),
        name: `9${1_000 + at}`,
        creation,
        customer,
      });
    const { tickets, isMore } = await site.helpdesk.ticketLists.ofCustomerAs(as(demo.agent), customer, signal);
    expect([tickets.length, isMore]).toEqual([500, true]);
  });

  it('the stamp of an instant is of the site’s zone, in whole seconds', async () => {
    expect(await site.helpdesk.stampOf(noon + 999, signal)).toBe('2026-11-20 12:00:00');
    await expect(site.helpdesk.stampOf(Number.NaN, signal)).rejects.toMatchObject(kind('rejected'));
  });
});
