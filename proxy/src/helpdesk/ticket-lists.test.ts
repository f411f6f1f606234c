import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const { matched, likely, confirmed, missingOrgId } = demo.tickets;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const lists = () => site.helpdesk.ticketLists;
  const put = (name: string, change: object, from = name) =>
    site.simulator.put('HD Ticket', { ...site.simulator.document('HD Ticket', from), name, ...change });
  const stampLater = () => site.helpdesk.stampOf(noon + 60_000, signal);

  it('tickets modified since a stamp come in the order of their stamps and names, page by page', async () => {
    const since = await stampLater();
    const names = [matched, likely, confirmed, missingOrgId];
    const stamps = [2, 1, 2, 0].map((micros) => `${since}.00000${micros}`);
    for (const [index, name] of names.entries()) put(name, { modified: stamps[index] });
    const list = async (from: string, limit: number, offset: number) =>
      (await lists().modifiedSince(from, { limit, offset }, signal)).tickets;
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
    expect(await lists().lookAt([...Object.keys(statuses), missingOrgId, '999999'], signal)).toEqual(
      new Map([
        [matched, { closed: true, modifiedAt: noon }],
        [likely, { closed: true, modifiedAt: noon }],
        [confirmed, { closed: false, modifiedAt: noon }],
        [missingOrgId, { closed: false, modifiedAt: 0 }],
      ]),
    );
  });

  it('the stamp of an instant is of the site’s zone, in whole seconds', async () => {
    expect(await site.helpdesk.stampOf(noon + 999, signal)).toBe('2026-11-20 12:00:00');
    await expect(site.helpdesk.stampOf(Number.NaN, signal)).rejects.toMatchObject(kind('rejected'));
  });

  it('the tickets of a customer are at most five hundred, and it is said that there are more', async () => {
    const creation = '2026-11-20 11:00:00.000000';
    for (let at = 0; at < 501; at += 1) put(`9${1_000 + at}`, { creation, customer }, matched);
    const { tickets, isMore } = await lists().ofCustomerAs(as(demo.agent), customer, signal);
    expect([tickets.length, isMore]).toEqual([500, true]);
  });

  it('records have paths of this version, whatever their names hold', async () => {
    const pathOf = await site.helpdesk.readPaths(signal);
    const paths = [pathOf('ticket', '0035'), pathOf('customer', 'Bếp "Xinh" & Gấu/#1?')];
    const name = 'B%E1%BA%BFp%20%22Xinh%22%20%26%20G%E1%BA%A5u%2F%231%3F';
    const customers = generation === '1.28' ? '/helpdesk/customers' : '/app/hd-customer';
    expect(paths).toEqual(['/helpdesk/tickets/0035', `${customers}/${name}`]);
  });
});
