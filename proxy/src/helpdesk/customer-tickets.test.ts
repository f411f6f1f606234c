import type { HelpdeskDocument } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, type SimulatedSite, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const here = demo.tickets.matched;

/** Puts another ticket of the customer on the site, made from an existing one. */
function add(site: SimulatedSite, change: HelpdeskDocument): void {
  const stored = site.simulator.document('HD Ticket', here);
  if (!stored) throw new Error('The seed lacks the ticket.');
  site.simulator.put('HD Ticket', { ...stored, ...change });
}

describe.each(generations)('the tickets of a customer, on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const read = async (user = demo.agent) => (await site.warmed()).ticketLists.ofCustomerAs(as(user), customer, signal);
  const named = async (name: string, user = demo.agent) =>
    (await read(user)).tickets.find((ticket) => ticket.name === name);

  it('are all of them, newest first, open and finished', async () => {
    const { tickets, isMore } = await read();
    expect([tickets.filter(({ isOpen }) => isOpen).map(({ name }) => name), isMore]).toEqual([
      [demo.tickets.forgedLink, here, '2'],
      false,
    ]);
    expect(tickets.find(({ name }) => name === '2')).toEqual({
      ...{ name: '2', subject: 'Đơn hàng không về kho', status: 'Open', isOpen: true, team: 'CS 60p' },
      createdAt: expect.any(Number),
    });
    const ages = tickets.map(({ createdAt }) => Number(createdAt));
    expect(ages).toEqual(ages.toSorted((one, other) => other - one));
    expect(tickets.find(({ name }) => name === '61200')).toMatchObject({ status: 'Closed', isOpen: false });
  });

  it('are read as the caller, in one list', async () => {
    await read();
    const asked = site.simulator.journal.filter(({ user }) => user === demo.agent.name).map(({ path }) => path);
    expect(asked).toEqual(['/api/resource/HD Ticket']);
  });

  it('leave out what the caller may not see, without a word', async () => {
    site.simulator.settings.restrictTicketsByAgentGroup = true;
    add(site, { name: '61207', agent_group: 'Medium - Scale' });
    expect([await named('61207'), await named('61207', demo.otherAgent)]).toMatchObject([{ name: '61207' }, undefined]);
    add(site, { name: '61207', customer: null });
  });

  it('are at most five hundred, and it is said that there are more', async () => {
    const put = (change: object) => {
      for (let at = 0; at < 501; at += 1) add(site, { ...change, name: `9${1_000 + at}` });
    };
    put({ creation: '2026-11-20 11:00:00.000000' });
    const { tickets, isMore } = await read();
    expect([tickets.length, isMore]).toEqual([500, true]);
    put({ customer: null });
  });

  it('are nobody’s without a credential', async () => {
    const asked = site.adapter().ticketLists.ofCustomerAs({ authorization: 'token a:b' }, customer, signal);
    await expect(asked).rejects.toMatchObject(kind('unauthenticated'));
  });

  it('leads to records by paths of this version, whatever their names hold', async () => {
    const pathOf = await site.adapter().readPaths(signal);
    const paths = [pathOf('ticket', '0035'), pathOf('customer', 'Bếp "Xinh" & Gấu/#1?')];
    const name = 'B%E1%BA%BFp%20%22Xinh%22%20%26%20G%E1%BA%A5u%2F%231%3F';
    const customers = generation === '1.28' ? '/helpdesk/customers' : '/app/hd-customer';
    expect(paths).toEqual(['/helpdesk/tickets/0035', `${customers}/${name}`]);
  });
});
