import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, signal, useSimulatedSite } from './testing/simulated-site.ts';
import { differs, encode, siteZone } from './values.ts';

const nfc = 'Bánh Mì Phở Việt - 200000888001'.normalize('NFC');
const nfd = nfc.normalize('NFD');

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  it.each([
    ['composed', nfc, nfd],
    ['decomposed', nfd, nfc],
  ])('a customer whose name is stored %s is found by the other spelling', async (_, stored, asked) => {
    const { simulator } = site;
    simulator.put('HD Customer', { name: stored, customer_name: stored, owner: 'Administrator' });
    const helpdesk = site.adapter();
    expect((await helpdesk.customers.read(asked, signal))?.name).toBe(stored);
    const value = asked.slice(0, asked.indexOf(' -'));
    const { customers } = await helpdesk.customerSearch.searchAs(as(demo.agent), [{ kind: 'name', value }], signal);
    expect(customers.map(({ name }) => name)).toEqual([stored]);
  });

  it.each([
    ['composed', nfc, nfd],
    ['decomposed', nfd, nfc],
  ])('a team whose name is stored %s is found by the other spelling', async (_, stored, asked) => {
    const { simulator } = site;
    simulator.put('HD Team', { name: stored, team_name: stored, users: [] });
    const helpdesk = site.adapter();
    expect(await helpdesk.people.readTeam(asked, signal)).toMatchObject({ name: nfc });
  });

  it('what we write is composed', async () => {
    const { simulator } = site;
    const helpdesk = site.adapter();
    const made = await helpdesk.customers.create(nfd, { shopPlan: 'Gói Lớn'.normalize('NFD') }, signal);
    expect(made?.name).toBe(nfc);
    expect(simulator.document('HD Customer', nfc)?.custom_shopplan_name).toBe('Gói Lớn'.normalize('NFC'));
  });
});

it('a value that only spells its accents differently is no change', () => {
  const base = { label: '', required: false, default: '', options: '', length: 0, permlevel: 0 };
  const field = { ...base, fieldname: 'x', fieldtype: 'Data' };
  const encoded = encode(field, { text: nfd }, siteZone('UTC'));
  expect(encoded).toEqual({ value: nfc });
  expect(differs(field, nfd, nfc)).toBe(false);
});
