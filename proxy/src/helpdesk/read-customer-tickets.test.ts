import type { HelpdeskDocument } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, noon, type SimulatedSite, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const here = demo.tickets.matched;
const day = 86_400_000;

/** Puts another ticket of the customer on the site, made from an existing one. */
function add(site: SimulatedSite, change: HelpdeskDocument): void {
  const stored = site.simulator.document('HD Ticket', here);
  if (!stored) throw new Error('The seed lacks the ticket.');
  site.simulator.put('HD Ticket', { ...stored, ...change });
}

describe.each(generations)('the tickets of a customer, on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const read = async (user = demo.agent, except: string = here) =>
    (await site.warmed()).ticketLists.ofCustomerAs(as(user), customer, except, signal);

  it('are all but the one asked about: open ones, the last five that were finished, who has them by name', async () => {
    const { open, closed, moreOpen } = await read();
    expect([open.map(({ name }) => name), moreOpen]).toEqual([[demo.tickets.forgedLink, '2'], false]);
    expect(open[1]).toEqual({
      name: '2',
      subject: 'Đơn hàng không về kho',
      status: 'Open',
      team: 'CS 60p',
      assignees: ['Nguyễn Hoài An'],
      createdAt: expect.any(Number),
      closedAt: null,
    });
    expect(closed.map(({ name }) => name)).toEqual(['61200', '61201', '61202', '61203', '61204']);
    expect(closed[0]).toMatchObject({ status: 'Closed', assignees: ['Phạm Tiến Dũng'], closedAt: noon - 8 * day });
  });

  it('are read as the caller, in three lists and one of names', async () => {
    await read();
    expect(new Set(site.simulator.journal.map(({ user }) => user))).toEqual(
      new Set([demo.agent.name, demo.service.name]),
    );
    const asked = site.simulator.journal.filter(({ user }) => user === demo.agent.name).map(({ path }) => path);
    const lists = Array.from({ length: 3 }, () => '/api/resource/HD Ticket');
    expect(asked.sort()).toEqual([...lists, '/api/resource/User']);
  });

  it('tell when the customer last wrote, whichever ticket that was on', async () => {
    expect(await read()).toMatchObject({ lastContact: { ticket: demo.tickets.forgedLink } });
    const written = '2026-11-20 11:58:00.123456';
    add(site, { name: '61206', status: 'Closed', status_category: 'Resolved', last_customer_response: written });
    expect(await read()).toMatchObject({ lastContact: { ticket: '61206', at: noon - 2 * 60_000 } });
    expect(await read(demo.agent, '61206')).not.toMatchObject({ lastContact: { ticket: '61206' } });
    add(site, { name: '61206', customer: null });
  });

  it('leave out what the caller may not see, without a word', async () => {
    site.simulator.settings.restrictTicketsByAgentGroup = true;
    add(site, { name: '61207', agent_group: 'Medium - Scale' });
    const [seen, hidden] = [await read(demo.agent), await read(demo.otherAgent)];
    expect(seen.open.map(({ name }) => name)).toContain('61207');
    expect(hidden.open.map(({ name }) => name)).toEqual(['2']);
    add(site, { name: '61207', customer: null });
  });

  it('are at most twenty open ones, and it is said that there are more', async () => {
    for (let at = 0; at < 20; at += 1) add(site, { name: `6140${at}`, creation: '2026-11-20 11:00:00.000000' });
    const { open, moreOpen } = await read();
    expect([open.length, moreOpen]).toEqual([20, true]);
    for (let at = 0; at < 20; at += 1) add(site, { name: `6140${at}`, customer: null });
  });

  it.each(['not json', '{"a":1}', '[1]'])('have nobody where the helpdesk says %j', async (_assign) => {
    add(site, { name: '61208', _assign });
    expect((await read()).open.find(({ name }) => name === '61208')?.assignees).toEqual([]);
    add(site, { name: '61208', customer: null });
  });

  it('name a user whom the caller does not see by the id', async () => {
    add(site, { name: '61209', _assign: '["Administrator"]' });
    expect((await read()).open.find(({ name }) => name === '61209')?.assignees).toEqual(['Administrator']);
    add(site, { name: '61209', customer: null });
  });

  it('are nobody’s without a credential', async () => {
    const asked = site.adapter().ticketLists.ofCustomerAs({ authorization: 'token a:b' }, customer, here, signal);
    await expect(asked).rejects.toMatchObject(kind('unauthenticated'));
  });

  it('leads to records by paths of this version, whatever their names hold', async () => {
    const pathOf = await site.adapter().readPaths(signal);
    const paths = [pathOf('ticket', '0035'), pathOf('customer', 'Bếp "Xinh" & Gấu/#1?'), pathOf('contact', '..')];
    const name = 'B%E1%BA%BFp%20%22Xinh%22%20%26%20G%E1%BA%A5u%2F%231%3F';
    const [customers, contacts] =
      generation === '1.28' ? ['/helpdesk/customers', '/helpdesk/contacts'] : ['/app/hd-customer', '/app/contact'];
    expect(paths).toEqual(['/helpdesk/tickets/0035', `${customers}/${name}`, `${contacts}/..`]);
  });
});
