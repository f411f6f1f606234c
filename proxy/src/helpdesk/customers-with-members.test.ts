import { demo, staffEmail } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

const stamp = (n: number) => `2026-11-20 12:00:00.${String(n).padStart(6, '0')}`;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const read = async () => {
    const all = await site.adapter().whole.customersWithMembers(signal);
    return new Map(all.map((customer) => [customer.name, customer]));
  };
  const put = (name: string, more: object = {}) =>
    site.simulator.put('HD Customer', {
      name,
      owner: staffEmail('an'),
      modified_by: staffEmail('an'),
      creation: stamp(1),
      ...more,
    });
  const contact = (name: string, owner: string, link: string, email = `${name}@x.example`) =>
    site.simulator.put('Contact', {
      name,
      owner,
      creation: stamp(1),
      links: [{ link_doctype: 'HD Customer', link_name: link }],
      email_ids: [{ email_id: email }, { email_id: `2.${email}` }],
      phone_nos: [{ phone: '0901 000 001' }, { phone: '0901 000 002' }],
    });

  test('a customer comes with its members, each with all addresses and telephones, and who wrote them', async () => {
    put('Hand', {
      domain: 'hand.example',
      custom_crm_company_id: '9001',
      contacts: [{ contact_name: 'ann' }, { contact_name: 'ben' }],
    });
    contact('ann', staffEmail('minh'), 'Hand');
    contact('ben', demo.forger.name, 'Hand');
    const hand = (await read()).get('Hand');
    expect(hand).toMatchObject({ orgId: '', crmId: '9001', domain: 'hand.example', isDesks: true });
    const reach = (name: string) => ({
      emails: [`${name}@x.example`, `2.${name}@x.example`],
      phones: ['0901 000 001', '0901 000 002'],
    });
    // The first's agent has left meanwhile.
    expect(hand?.members).toEqual([
      { ...reach('ann'), isDesks: true },
      { ...reach('ben'), isDesks: false },
    ]);
  });

  test('every customer and contact is read, however many were made at the same moment', async () => {
    for (let n = 0; n < 520; n += 1)
      put(`Many ${n}`, { creation: stamp(n < 510 ? 7 : n), contacts: [{ contact_name: `many${n}` }] });
    for (let n = 0; n < 520; n += 1) contact(`many${n}`, staffEmail('an'), `Many ${n}`);
    const all = [...(await read()).values()].filter(({ name }) => name.startsWith('Many '));
    expect(all).toHaveLength(520);
    expect(new Set(all.map(({ members }) => members.length))).toEqual(new Set([1]));
  });

  test('what a website user may have written is not the desk’s', async () => {
    put('Managed', { contacts: [{ contact_name: 'cat', is_manager: 1 }] });
    put('Edited', { modified_by: demo.portal.name, contacts: [] });
    contact('cat', staffEmail('an'), 'Managed');
    const all = await read();
    // Before 1.28 nobody on the portal may write a customer.
    const isDesks = generation === '1.24';
    expect([all.get('Managed')?.isDesks, all.get('Edited')?.isDesks]).toEqual([isDesks, isDesks]);
  });
});
