import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, signal, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';

const customer = 'Cà phê Sương Núi';

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
    return helpdesk.websiteWritersOf(customer, signal);
  }
  const managers = (...names: string[]) => names.map((contact_name) => ({ contact_name, is_manager: 1 as const }));

  it('are those who manage it and have an account to sign in with', async () => {
    const writers = await writersOf(demo.agent.name, [...managers('Vy', 'Lan'), { contact_name: 'An', is_manager: 0 }]);
    expect(writers).toEqual(isOpen ? ['vy@nui.example'] : []);
  });

  it('and whoever wrote to it last, unless that was the desk or this service', async () => {
    expect(await writersOf('Sly@else.example', [])).toEqual(isOpen ? ['sly@else.example'] : []);
    for (const writer of ['Administrator', demo.agent.name, demo.service.name])
      expect(await writersOf(writer, [])).toEqual([]);
  });

  it('are none of a customer whose name the database only takes for this one', async () => {
    await writersOf('Sly@else.example', managers('Vy'));
    expect(await site.adapter().websiteWritersOf('Ca phe suong nui', signal)).toEqual([]);
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
