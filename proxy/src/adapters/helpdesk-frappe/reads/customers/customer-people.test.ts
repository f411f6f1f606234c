import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, signal, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';

const customer = 'Cà phê Sương Núi';

describe.each(generations)('a customer’s people, Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const lists = generation !== '1.24';

  /** Contacts with an address and, where one is given, a number; linked, and listed where customers list them. */
  function put(contacts: { name: string; owner: string; emails: string[]; phone?: string; linked?: string }[]) {
    for (const { name, owner, emails, phone, linked = customer } of contacts)
      site.simulator.put('Contact', {
        name,
        owner,
        first_name: name,
        full_name: name,
        email_ids: emails.map((email_id) => ({ email_id })),
        phone_nos: phone === undefined ? [] : [{ phone }],
        links: [{ link_doctype: 'HD Customer', link_name: linked }],
      });
    const listed = contacts.filter(({ linked = customer }) => linked === customer).map(({ name }) => name);
    site.simulator.put('HD Customer', {
      name: customer,
      customer_name: customer,
      domain: 'nui.example',
      ...(lists && { contacts: listed.map((contact_name) => ({ contact_name, is_manager: 0 })) }),
    });
  }

  it('are its members, each with whose Contact it is, with few requests', async () => {
    put([
      {
        name: 'Sương',
        owner: demo.agent.name,
        emails: ['Suong@Nui.example', 'suong@web.example'],
        phone: '0912 345 678',
      },
      { name: 'Vy', owner: demo.portal.name, emails: ['vy@nui.example'] },
      { name: 'Elsewhere', owner: demo.agent.name, emails: ['x@else.example'], linked: 'Ca phe suong nui' },
    ]);
    const helpdesk = await site.warmed();
    const found = await helpdesk.readCustomerPeople(customer, signal);
    expect(found?.members).toEqual([
      { emails: ['suong@nui.example', 'suong@web.example'], phones: ['0912 345 678'], isPutThere: true, isDesks: true },
      { emails: ['vy@nui.example'], phones: [], isPutThere: lists, isDesks: false },
    ]);
    // Portal customers may write it from 1.28 on.
    expect(found).toMatchObject({ name: customer, domain: lists ? null : 'nui.example' });
    site.simulator.clearJournal();
    await helpdesk.readCustomerPeople(customer, signal);
    expect(site.simulator.journal).toHaveLength(3);
    expect(new Set(site.simulator.journal.map(({ user }) => user))).toEqual(new Set([demo.service.name]));
  });

  it('are all read, however many, in addresses that the helpdesk’s server takes', async () => {
    const names = Array.from({ length: 70 }, (_, n) => `${'Nguyễn Thị Ánh Tuyết '.repeat(5)}${n}-${customer}`);
    put(names.map((name, n) => ({ name, owner: demo.agent.name, emails: [`${n}@nui.example`] })));
    const { upstream } = site;
    const lengths: number[] = [];
    const request: typeof upstream.request = (asked) => {
      lengths.push(asked.path.length);
      return upstream.request(asked);
    };
    const helpdesk = site.adapter({ upstream: { ...upstream, request } });
    const members = (await helpdesk.readCustomerPeople(customer, signal))?.members ?? [];
    expect(members.filter(({ emails: [email] }) => /^\d+@nui\.example$/.test(email ?? ''))).toHaveLength(70);
    expect(Math.max(...lengths)).toBeLessThan(4_000);
  });

  it('are none where there are none, and no other customer’s for which the database takes the name', async () => {
    site.simulator.put('HD Customer', { name: 'Walk-ins', customer_name: 'Walk-ins' });
    const helpdesk = await site.warmed();
    expect((await helpdesk.readCustomerPeople('Walk-ins', signal))?.members).toEqual([]);
    expect(await helpdesk.readCustomerPeople('Ca phe suong nui', signal)).toBeNull();
  });

  it('and the last tickets around it are its own and its members’', async () => {
    put([]);
    const ticket = (name: string, of: string | null, raised_by: string) =>
      site.simulator.put('HD Ticket', { name, subject: name, status: 'Open', customer: of, raised_by });
    ticket('9001', customer, 'x@else.example');
    ticket('9002', null, 'Vy@nui.example');
    ticket('9003', 'Ca phe suong nui', 'x@else.example');
    const helpdesk = await site.warmed();
    const around = async (addresses: string[]) =>
      (await helpdesk.readTicketsAround({ customer, addresses }, 50, signal)).map(({ name, raisedBy }) => [
        name,
        raisedBy,
      ]);
    expect((await around(['vy@nui.example'])).toSorted()).toEqual([
      ['9001', 'x@else.example'],
      ['9002', 'vy@nui.example'],
    ]);
    expect(await around([])).toEqual([['9001', 'x@else.example']]);
  });
});

describe.each(generations)('the website users who may have written a customer, Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const isOpen = generation !== '1.24';

  async function writersOf(modified_by: string, members: { contact_name: string; is_manager: 0 | 1 }[]) {
    for (const [name, user] of [
      ['Vy', 'Vy@Nui.example'],
      ['Lan', null],
    ] as const)
      site.simulator.put('Contact', { name, owner: demo.agent.name, first_name: name, user, email_ids: [] });
    const contacts = isOpen ? { contacts: members } : {};
    site.simulator.put('HD Customer', { name: customer, customer_name: customer, modified_by, ...contacts });
    const helpdesk = await site.warmed();
    site.simulator.clearJournal();
    return (await helpdesk.readCustomerPeople(customer, signal))?.writers;
  }
  const managers = (...names: string[]) => names.map((contact_name) => ({ contact_name, is_manager: 1 as const }));

  it('are those who manage it and have an account to sign in with', async () => {
    const writers = await writersOf(demo.agent.name, [...managers('Vy', 'Lan'), { contact_name: 'An', is_manager: 0 }]);
    expect(writers).toEqual(isOpen ? ['vy@nui.example'] : []);
  });

  it('also where the rows of all that stands in its Contacts are too many to be read', async () => {
    const { simulator } = site;
    const numbers = Array.from({ length: 600 }, (_, n) => ({ phone: String(900_000_000 + n) }));
    const crowd = { first_name: 'Crowd', modified: '2030-01-01 00:00:00.000000', email_ids: [], phone_nos: numbers };
    simulator.put('Contact', { name: 'Crowd', owner: demo.portal.name, ...crowd });
    const writers = await writersOf(demo.agent.name, [{ contact_name: 'Crowd', is_manager: 0 }, ...managers('Vy')]);
    expect(writers).toEqual(isOpen ? ['vy@nui.example'] : []);
  });

  it('and whoever wrote to it last, unless that was the desk or this service', async () => {
    expect(await writersOf('Sly@else.example', [])).toEqual(isOpen ? ['sly@else.example'] : []);
    for (const writer of ['Administrator', demo.agent.name, demo.service.name])
      expect(await writersOf(writer, [])).toEqual([]);
  });
});

describe.each(generations)('whether the desk named a customer, Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  it('goes by who has renamed it, however often and whatever else is in its history', async () => {
    const { simulator } = site;
    simulator.put('HD Customer', { name: customer, customer_name: customer });
    const helpdesk = await site.warmed();
    const note = (owner: string, comment_type: string) =>
      simulator.put('Comment', {
        ...{ name: `${owner} ${comment_type}`, owner, comment_type, content: '' },
        ...{ reference_doctype: 'HD Customer', reference_name: customer },
      });
    const is = () => helpdesk.isNamedByDesk(customer, signal);
    expect(await is(), 'never renamed').toBe(true);
    note('Administrator', 'Edit');
    note(demo.agent.name, 'Edit');
    note(demo.service.name, 'Edit');
    note('sly@else.example', 'Like');
    expect(await is()).toBe(true);
    note('Sly@else.example', 'Edit');
    expect(await is()).toBe(generation === '1.24');
  });
});
