import { beforeEach, expect, test, vi } from 'vitest';
import { sampleProfile } from '#testing/sample-profile.ts';
import { createLastProfiles } from './last-profiles.ts';

const store = { value: null as unknown, read: async () => store.value, write: vi.fn(async () => {}) };
store.write.mockImplementation((async (value: unknown) => {
  store.value = structuredClone(value);
}) as never);
const seen = (ticket: string, receivedAt = 1) => ({
  profile: { ...sampleProfile(), ticket: { ...sampleProfile().ticket, name: ticket } },
  receivedAt,
});

beforeEach(() => {
  store.value = null;
});

test('who comes back to a ticket is given what they last saw of it, also after the background was suspended', async () => {
  const profiles = createLastProfiles(store);
  await profiles.keepOnly('an');
  await profiles.noting('an')(seen('1', 5));
  await profiles.noting('an')(seen('1', 9));
  await profiles.noting('an')(seen('2', 7));
  const woken = createLastProfiles(store);
  expect([await woken.of('an', '1'), await woken.of('an', '2')]).toEqual([seen('1', 9), seen('2', 7)]);
  expect(await woken.of('an', '3')).toBeNull();
});

test("somebody else's page clears everything, here and in the browser's storage", async () => {
  const profiles = createLastProfiles(store);
  await profiles.keepOnly('an');
  const late = profiles.noting('an');
  await profiles.noting('an')(seen('1'));
  expect(await profiles.of('binh', '1')).toBeNull();
  expect(store.value).toBeNull();
  await late(seen('1'));
  expect([await profiles.of('an', '1'), store.value]).toEqual([null, null]);
});

test('a sign-out clears everything, also what was stored before a suspension and what is on its way', async () => {
  const before = createLastProfiles(store);
  await before.keepOnly('an');
  await before.noting('an')(seen('1'));
  const woken = createLastProfiles(store);
  const reading = woken.of('an', '1');
  const late = woken.noting('an');
  await woken.clear();
  await reading;
  await late(seen('1'));
  expect([await woken.of('an', '1'), store.value]).toEqual([null, null]);
});

test('a ticket that was written to is forgotten, the others stay; thirty are kept', async () => {
  const profiles = createLastProfiles(store);
  await profiles.keepOnly('an');
  for (let nth = 0; nth < 32; nth += 1) await profiles.noting('an')(seen(`${nth}`));
  await profiles.forget('5');
  const kept = await Promise.all(['0', '1', '2', '5', '31'].map((ticket) => profiles.of('an', ticket)));
  expect(kept.map((one) => one !== null)).toEqual([false, false, true, false, true]);
});

test('what does not fit into the storage is kept for the time being, and hides no error from the next', async () => {
  const profiles = createLastProfiles({ ...store, write: () => Promise.reject(new Error('QUOTA_BYTES')) });
  await profiles.keepOnly('an');
  await profiles.noting('an')(seen('1'));
  expect(await profiles.of('an', '1')).toEqual(seen('1'));
});

test('the last five customers, newest first, each once with the ticket seen last', async () => {
  const profiles = createLastProfiles(store);
  await profiles.keepOnly('an');
  const see = (ticket: string, orgId: string, name = `Tiệm ${orgId}`) => {
    const { profile } = seen(ticket);
    const company = profile.bitrix.company && { ...profile.bitrix.company, company_id: orgId, company_name: name };
    return profiles.noting('an')({ profile: { ...profile, bitrix: { ...profile.bitrix, company } }, receivedAt: 1 });
  };
  for (const number of [1, 2, 3, 4, 5, 6]) await see(`6130${number}`, `20000${number}`);
  await see('61399', '200003', 'Tiệm mới');
  const list = await createLastProfiles(store).customers();
  expect(list.map(({ orgId }) => orgId)).toEqual(['200003', '200006', '200005', '200004', '200002']);
  expect(list[0]).toEqual({ name: 'Tiệm mới', orgId: '200003', ticket: '61399' });
});

test('without a company in the CRM it is the customer of the helpdesk, and without one it is nobody', async () => {
  const profiles = createLastProfiles(store);
  await profiles.keepOnly('an');
  const { profile } = seen('1');
  const without = { ...profile, bitrix: { ...profile.bitrix, company: null } };
  await profiles.noting('an')({ profile: { ...without, customer: null }, receivedAt: 1 });
  expect(await profiles.customers()).toEqual([]);
  await profiles.noting('an')({ profile: without, receivedAt: 1 });
  expect(await profiles.customers()).toMatchObject([{ name: profile.customer?.customer_name, ticket: '1' }]);
  await profiles.keepOnly('');
  expect(await profiles.customers()).toEqual([]);
});
