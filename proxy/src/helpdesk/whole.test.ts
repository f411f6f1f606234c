import { OrgId } from '@deskside/shared/orgid';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { Upstream } from '#net/egress.ts';
import { Frappe } from './frappe.ts';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';
import { WholeHelpdesk } from './whole.ts';

const key = `${demo.service.apiKey}:${demo.service.apiSecret}`;
const searchOf = (upstream: Upstream, key: string) =>
  new WholeHelpdesk(new Frappe(upstream, `token ${key}`, { describe: async () => new Map() }));
const orgId = OrgId.parse('200000376001');

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const all = async (search: WholeHelpdesk) => {
    const customers = [];
    for await (const customer of search.customers(signal)) customers.push(customer);
    return customers;
  };

  it('every customer comes once, page by page, with its org id and when the CRM was asked about it', async () => {
    const { simulator } = site;
    const search = searchOf(site.upstream, key);
    const before = (await all(search)).length;
    for (let i = 0; i < 600; i += 1) {
      const creation = `2026-11-20 12:00:${String(i % 60).padStart(2, '0')}.000000`;
      simulator.put('HD Customer', {
        name: `Shop ${i}`,
        custom_platform_orgid: `${i}`,
        custom_crm_last_checked_at: creation,
        creation,
      });
    }
    const customers = await all(search);
    expect(customers).toHaveLength(before + 600);
    expect(new Set(customers.map(({ name }) => name)).size).toBe(before + 600);
    expect(customers.find(({ name }) => name === 'Shop 7')).toEqual({
      name: 'Shop 7',
      orgId: '7',
      checkedAt: '2026-11-20 12:00:07.000000',
    });
    expect(customers.find(({ name }) => name === 'Shop 0')?.orgId).toBe('');
  });

  it('the tickets of a person are those that they raised or created, whatever the case of their address', async () => {
    const { simulator } = site;
    const put = (name: string, fields: object) =>
      simulator.put('HD Ticket', { ...simulator.document('HD Ticket', demo.tickets.matched), name, ...fields });
    put('900001', { raised_by: 'Lan@Shop.example', owner: 'x@y.example' });
    put('900002', { raised_by: 'x@y.example', owner: 'lan@shop.example' });
    put('900003', { raised_by: 'an.lan@shop.example', owner: 'x@y.example' });
    const found = await searchOf(site.upstream, key).ticketsOfPerson('lan@shop.example', signal);
    expect(found.toSorted()).toEqual(['900001', '900002']);
  });

  it('the tickets of a company carry its org id or are linked to its customer', async () => {
    const { simulator } = site;
    const put = (name: string, fields: object) =>
      simulator.put('HD Ticket', {
        ...simulator.document('HD Ticket', demo.tickets.missingOrgId),
        name,
        customer: null,
        custom_orgid: null,
        ...fields,
      });
    simulator.put('HD Customer', { name: 'Hand-made', custom_platform_orgid: orgId });
    put('900001', { custom_orgid: orgId });
    put('900002', { customer: 'Hand-made' });
    put('900003', { custom_orgid: `${orgId}2` });
    const { tickets, customers } = await searchOf(site.upstream, key).ticketsOfCompany(orgId, signal);
    expect(tickets.filter((name) => name.startsWith('9000')).toSorted()).toEqual(['900001', '900002']);
    expect(customers).toContain('Hand-made');
  });

  it('a refused service account is a helpdesk that does not work', async () => {
    const search = searchOf(site.upstream, `${demo.service.apiKey}:wrong`);
    await expect(all(search)).rejects.toMatchObject(kind('unavailable'));
  });
});
