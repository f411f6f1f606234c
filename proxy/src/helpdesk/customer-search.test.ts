import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { readQuery } from '#intake/read-query.ts';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const read = (text: string) => readQuery(text, { platform_hosts: ['myplatform.example'], guarded_domains: [] });
const gom = 'Gốm Sứ Làng Mơ - 200000376001';

describe.each(generations)('Helpdesk %s: a customer is found', (generation) => {
  const site = useSimulatedSite(generation);
  const find = async (text: string, caller = demo.agent) =>
    (await (await site.warmed()).customerSearch.searchAs(as(caller), read(text), signal)).customers;

  test.each<[string, string, string[]]>([
    ['by its org id', '200000376001', [gom]],
    ['by the org id in its name alone', '1000700223', ['1000700223 - Kính Mắt Trời Trong']],
    ['by a part of its name, without accents', 'gom su lang', [gom]],
    ['by a name with its org id', gom, [gom]],
    ['by a name with quotes in it', 'Bếp "Xinh" & Gấu', ['Bếp "Xinh" & Gấu #1 - 1000700230']],
    ['by its domain on the platform', 'https://gomlangmo.myplatform.example/admin', [gom]],
    ['by the address of a contact', 'owner@gomlangmo.example', [gom]],
    ['by the number of a contact, internationally', '+84 900 000 002', [gom]],
    ['not by half a number', '0000002', []],
    ['not by what the database takes for it', 'g_m s_ l_ng', []],
    ['not by a wildcard', 'gốm%mơ', []],
    ['not by an operator', `" or 1=1 --`, []],
    ['not by a backslash', 'gốm\\', []],
  ])('%s', async (_, text, names) => {
    expect((await find(text)).map(({ name }) => name)).toEqual(names);
  });

  test('in one request as the caller by its own fields, in two more by its contacts', async () => {
    await find('gốm');
    expect(site.calls()).toEqual([`GET /api/resource/HD Customer ${demo.agent.name} 200`]);
    site.simulator.clearJournal();
    await find('owner@gomlangmo.example');
    const [customers, contacts] = ['HD Customer', 'Contact'].map(
      (one) => `GET /api/resource/${one} ${demo.agent.name} 200`,
    );
    expect(site.calls().toSorted()).toEqual(
      generation === '1.24' ? [contacts, customers] : [contacts, customers, customers],
    );
  });

  test('with its plan, its ids and the contact who was found', async () => {
    expect(await find('owner@gomlangmo.example')).toMatchObject([
      {
        name: gom,
        orgId: '200000376001',
        crmId: '63002',
        plan: expect.any(String),
        marks: { people: [{ name: 'Trần Quang Khải', emails: ['owner@gomlangmo.example'] }] },
      },
    ]);
  });

  test('by any of fifty contacts with one number, in addresses that the helpdesk’s server takes', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `${'Nguyễn Thị Ánh Tuyết '.repeat(5)}${n}`);
    for (const name of names)
      site.simulator.put('Contact', {
        ...{ name, owner: demo.agent.name, first_name: name, full_name: name },
        phone_nos: [{ phone: '0911 222 333' }],
        links: [{ link_doctype: 'HD Customer', link_name: gom }],
      });
    site.simulator.put('HD Customer', {
      ...{ ...site.simulator.document('HD Customer', gom), name: gom },
      ...(generation !== '1.24' && { contacts: names.map((contact_name) => ({ contact_name, is_manager: 0 })) }),
    });
    expect((await find('0911222333')).map(({ name }) => name)).toEqual([gom]);
  });

  test.each(['0901 234 567 / 0123 456 7890', '+84 (0)123 456 7890', '01234567890 máy lẻ 2', '0834.567.890'])(
    'by a contact’s number, written %s',
    async (phone) => {
      const name = 'Lan';
      site.simulator.put('Contact', {
        ...{ name, owner: demo.agent.name, first_name: name, full_name: name, phone_nos: [{ phone }] },
        links: [{ link_doctype: 'HD Customer', link_name: gom }],
      });
      const customer = { ...site.simulator.document('HD Customer', gom), name: gom };
      const contacts = [{ contact_name: name, is_manager: 0 }];
      site.simulator.put('HD Customer', { ...customer, ...(generation !== '1.24' && { contacts }) });
      expect((await find('+84 834 567 890')).map((one) => one.name)).toEqual([gom]);
    },
  );

  test('only among those that the caller may list', async () => {
    const found = find('gốm', demo.portal);
    if (generation === '1.24') await expect(found).rejects.toMatchObject(kind('forbidden'));
    else expect((await found).length).toBeLessThanOrEqual(1);
  });
});
