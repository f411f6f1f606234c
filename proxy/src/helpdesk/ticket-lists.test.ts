import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  it('tickets modified since a stamp come in the order of their stamps and names, page by page', async () => {
    const { simulator } = site;
    const helpdesk = site.adapter();
    const names = [demo.tickets.matched, demo.tickets.likely, demo.tickets.confirmed, demo.tickets.missingOrgId];
    const since = await helpdesk.stampOf(noon + 60_000, signal);
    const stamps = [`${since}.000002`, `${since}.000001`, `${since}.000002`, `${since}.000000`];
    for (const [index, name] of names.entries()) {
      const document = { ...simulator.document('HD Ticket', name), name };
      simulator.put('HD Ticket', { ...document, modified: stamps[index] });
    }
    const list = async (from: string, limit: number, offset: number) =>
      (await helpdesk.ticketLists.modifiedSince(from, { limit, offset }, signal)).tickets;
    const all = await list(since, 10, 0);
    const byName = [demo.tickets.matched, demo.tickets.confirmed].sort();
    expect(all.map(({ name }) => name)).toEqual([demo.tickets.missingOrgId, demo.tickets.likely, ...byName]);
    expect(all.map(({ modified }) => modified)).toEqual(stamps.toSorted());
    expect(all[0]?.creation).toBe(simulator.document('HD Ticket', demo.tickets.missingOrgId)?.creation);
    expect([...(await list(since, 3, 0)), ...(await list(since, 3, 3))]).toEqual(all);
    expect(await list(`${since}.000002`, 10, 0)).toEqual(all.slice(2));
    expect(await list(`${since}.000003`, 10, 0)).toEqual([]);
  });

  it('a ticket without a creation time is named, and the others are listed', async () => {
    const { simulator } = site;
    const helpdesk = site.adapter();
    const since = await helpdesk.stampOf(noon + 60_000, signal);
    for (const name of [demo.tickets.matched, demo.tickets.likely]) {
      const document = { ...simulator.document('HD Ticket', name), name, modified: `${since}.000001` };
      simulator.put('HD Ticket', name === demo.tickets.matched ? { ...document, creation: null } : document);
    }
    const page = await helpdesk.ticketLists.modifiedSince(since, { limit: 10, offset: 0 }, signal);
    expect(page.unreadable).toEqual([demo.tickets.matched]);
    expect(page.tickets.map(({ name }) => name)).toEqual([demo.tickets.likely]);
  });

  it('a look at tickets tells which are finished and when they were changed, and leaves out what is not there', async () => {
    const { simulator } = site;
    const helpdesk = site.adapter();
    const statuses: [string, string][] = [
      [demo.tickets.matched, 'Closed'],
      [demo.tickets.likely, 'Resolved'],
      [demo.tickets.confirmed, 'Replied'],
    ];
    for (const [name, status] of statuses) {
      const document = { ...simulator.document('HD Ticket', name), name };
      simulator.put('HD Ticket', { ...document, status, modified: `${await helpdesk.stampOf(noon, signal)}.000001` });
    }
    const seen = await helpdesk.ticketLists.lookAt([...statuses.map(([name]) => name), '999999'], signal);
    expect(seen).toEqual(
      new Map(statuses.map(([name, status]) => [name, { closed: status !== 'Replied', modifiedAt: noon }])),
    );
  });

  it('of many names, those that no ticket has are missing, exactly compared', async () => {
    const names = [demo.tickets.matched, '999999', `${demo.tickets.matched}abc`, `0${demo.tickets.matched}`, "' or 1"];
    const long = Array.from({ length: 95 }, (_, n) => `${n}é`.padEnd(140, 'x'));
    const missing = await site.adapter().ticketLists.missingAmong([...names, ...long], signal);
    expect(missing).toEqual(new Set([...names.slice(1), ...long]));
  });

  it('where tickets are restricted to their teams a list proves nothing, and none is missing', async () => {
    const { simulator } = site;
    simulator.settings.restrictTicketsByAgentGroup = true;
    expect(await site.adapter().ticketLists.missingAmong(['999999'], signal)).toEqual(new Set());
  });

  it('a ticket whose time of change cannot be read counts as not finished', async () => {
    const { simulator } = site;
    const name = demo.tickets.matched;
    simulator.put('HD Ticket', { ...simulator.document('HD Ticket', name), name, status: 'Closed', modified: 'x' });
    const seen = await site.adapter().ticketLists.lookAt([name], signal);
    expect(seen.get(name)).toEqual({ closed: false, modifiedAt: 0 });
  });

  it('the stamp of an instant is of the site’s zone, in whole seconds', async () => {
    expect(await site.adapter().stampOf(noon + 999, signal)).toBe('2026-11-20 12:00:00');
    await expect(site.adapter().stampOf(Number.NaN, signal)).rejects.toMatchObject(kind('rejected'));
  });

  it('a refused service account is a helpdesk that does not work', async () => {
    const helpdesk = site.adapter({ apiSecret: 'wrong' });
    const since = '2026-11-20 12:00:00';
    const list = helpdesk.ticketLists.modifiedSince(since, { limit: 1, offset: 0 }, signal);
    await expect(list).rejects.toMatchObject(kind('unavailable'));
    await expect(helpdesk.stampOf(noon, signal)).rejects.toMatchObject(kind('unavailable'));
  });
});
