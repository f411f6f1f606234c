import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Cà phê Sương Núi';

describe.each(generations)('whether only the desk may write a customer, Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  /** Where no role of website users may write customers, whoever made or manages one does not matter. */
  const isClosed = generation === '1.24';
  const member = (contact_name: string, is_manager: 0 | 1) => ({ contact_name, is_manager });

  function put(owner: string, members: { contact_name: string; is_manager: 0 | 1 }[]) {
    for (const name of ['Vy', 'Lan'])
      site.simulator.put('Contact', { name, owner: demo.agent.name, first_name: name, email_ids: [] });
    const contacts = isClosed ? {} : { contacts: members };
    site.simulator.put('HD Customer', { name: customer, customer_name: customer, owner, ...contacts });
  }

  it.each<[string, string, { contact_name: string; is_manager: 0 | 1 }[], boolean]>([
    ['an agent made it, and nobody is of it', demo.agent.name, [], true],
    ['an agent made it, and nobody manages it', demo.agent.name, [member('Vy', 0), member('Lan', 0)], true],
    ['the helpdesk’s own account made it', 'Administrator', [], true],
    ['this service made it', demo.service.name, [member('Vy', 0)], true],
    ['somebody manages it', demo.agent.name, [member('Vy', 0), member('Lan', 1)], isClosed],
    ['a website user made it', demo.portal.name, [], isClosed],
    ['somebody made it whose account is gone', 'sly@else.example', [], isClosed],
  ])('%s', async (_, owner, members, expected) => {
    put(owner, members);
    const helpdesk = await site.warmed();
    expect(await helpdesk.rights.isDeskOnly(customer, signal)).toBe(expected);
  });

  it('not where there is no such customer, whatever the database takes for the same', async () => {
    put(demo.agent.name, []);
    const helpdesk = await site.warmed();
    expect(await helpdesk.rights.isDeskOnly('Ca phe suong nui', signal)).toBe(isClosed);
  });

  it('not where it has more members than are read', async () => {
    const members = Array.from({ length: 600 }, () => member('Vy', 0));
    put(demo.agent.name, members);
    const helpdesk = await site.warmed();
    expect(await helpdesk.rights.isDeskOnly(customer, signal)).toBe(isClosed);
  });

  it('not where it cannot be seen which roles website users have', async () => {
    const simulator = site.seeded(({ users }) => {
      for (const user of users) if (user.name === demo.service.name) user.roles = ['Agent'];
    });
    simulator.put('HD Customer', { name: customer, customer_name: customer, owner: demo.portal.name });
    expect(await site.adapter().rights.isDeskOnly(customer, signal)).toBe(false);
  });

  it('takes one request once the roles are known, as the service account', async () => {
    put(demo.agent.name, []);
    const helpdesk = await site.warmed();
    await helpdesk.people.serviceUser(signal);
    await helpdesk.rights.isDeskOnly(customer, signal);
    site.simulator.clearJournal();
    await helpdesk.rights.isDeskOnly(customer, signal);
    // Who is of the desk is asked of the accounts.
    expect(site.calls()).toEqual(
      isClosed ? [] : ['HD Customer', 'User'].map((doctype) => `GET /api/resource/${doctype} ${demo.service.name} 200`),
    );
  });
});
