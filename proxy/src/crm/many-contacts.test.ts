import { expect, test } from 'vitest';
import { fakeLayers } from '#testing/fakes.ts';
import { fakeClock } from '#testing/quiet.ts';
import { chooseContact, type LookupInput, lookupCompany } from './lookup.ts';
import { bitrixForTest, orgId } from './testing/kit.ts';

/** A company with so many contacts, of whom each has an address; `shown` is the contact for a sender. */
async function withContacts(count: number) {
  const { crm, bitrix } = await bitrixForTest();
  for (let n = 1; n <= count; n += 1) {
    const EMAIL = [{ VALUE: `Person${n}@shop.example` }];
    crm.putContact({ ID: String(90_000 + n), NAME: `Person ${n}`, COMPANY_ID: '63002', EMAIL } as never);
  }
  const layers = fakeLayers({ crm: bitrix, clock: fakeClock() });
  const usual = { orgId: orgId('200000376001'), refresh: false, deadlineMs: 60_000 };
  const shown = async (sender: string, how: Partial<LookupInput> = {}) => {
    const looked = await lookupCompany(layers, { ...usual, senders: [sender], ...how });
    return chooseContact(looked.companies[0]?.contacts ?? [], [sender])?.name;
  };
  return { crm, shown };
}

test.each(['company_id_then_platform_orgid', 'platform_orgid_then_company_id'] as const)(
  'of a company with more contacts than a page the sender is found, in the same request (%s)',
  async (by) => {
    const { crm, shown } = await withContacts(120);
    expect(await shown('person117@shop.example', { by })).toBe('Person 117');
    expect(crm.journal[0]?.commands?.length).toBeLessThanOrEqual(50);
    // Known now, without another request.
    expect(await shown('PERSON117@shop.example', { by })).toBe('Person 117');
    expect(crm.journal).toHaveLength(1);
  },
);

test('another sender of a company that is known is asked for, once, whether there or not', async () => {
  const { crm, shown } = await withContacts(60);
  await shown('person1@shop.example');
  expect(await shown('person59@shop.example')).toBe('Person 59');
  expect(crm.journal).toHaveLength(2);
  for (let n = 0; n < 3; n += 1)
    expect(await shown('stranger@elsewhere.example')).toBe(await shown('nobody@x.example'));
  expect(crm.journal).toHaveLength(4);
});

test('where all contacts fit on a page nobody is asked for anew', async () => {
  const { crm, shown } = await withContacts(10);
  expect(await shown('person7@shop.example')).toBe('Person 7');
  await shown('stranger@elsewhere.example');
  expect(crm.journal).toHaveLength(1);
});

test('a contact of another company with the same address is not taken for this one’s', async () => {
  const { crm, shown } = await withContacts(60);
  const EMAIL = [{ VALUE: 'lan@x.example' }];
  crm.putContact({ ID: '99999', NAME: 'Elsewhere', COMPANY_ID: '63003', EMAIL } as never);
  expect(await shown('lan@x.example')).not.toBe('Elsewhere');
});
