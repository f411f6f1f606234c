import { expect, test } from 'vitest';
import { sampleProfile } from '#testing/sample-profile.ts';
import { createRecentCustomers } from './recent-customers.ts';

const [an, binh] = ['an@help.example', 'binh@help.example'];

function setUp() {
  let stored: unknown = null;
  const recent = createRecentCustomers({
    read: async () => stored,
    async write(value) {
      stored = value;
    },
  });
  const see = (user: string, ticket: string, orgId: string | null, name: string | null = `Tiệm ${orgId}`) => {
    const profile = sampleProfile();
    const company = profile.bitrix.company && { ...profile.bitrix.company, company_id: orgId, company_name: name };
    return recent.noting(user)({
      ...profile,
      customer: null,
      ticket: { ...profile.ticket, name: ticket },
      bitrix: { ...profile.bitrix, company },
    });
  };
  return { recent, see, put: (value: unknown) => (stored = value) };
}

test('the last five customers, newest first, each once with the ticket seen last', async () => {
  const { recent, see } = setUp();
  for (const number of [1, 2, 3, 4, 5, 6]) await see(an, `6130${number}`, `20000${number}`);
  await see(an, '61399', '200003', 'Tiệm mới');
  const list = await recent.list();
  expect(list.map(({ orgId }) => orgId)).toEqual(['200003', '200006', '200005', '200004', '200002']);
  expect(list[0]).toEqual({ name: 'Tiệm mới', orgId: '200003', ticket: '61399' });
});

test('answers that arrive together are all noted', async () => {
  const { recent, see } = setUp();
  await Promise.all([see(an, '1', '1'), see(an, '2', '2'), see(an, '3', '3')]);
  expect(await recent.list()).toHaveLength(3);
});

test('without a company in the CRM it is the customer of the helpdesk, and without one it is nothing', async () => {
  const { recent } = setUp();
  const profile = sampleProfile();
  const without = { ...profile, bitrix: { ...profile.bitrix, company: null } };
  await recent.noting(an)({ ...without, customer: null });
  expect(await recent.list()).toEqual([]);
  await recent.noting(an)(without);
  expect(await recent.list()).toEqual([
    {
      name: profile.customer?.customer_name,
      orgId: profile.customer?.custom_platform_orgid,
      ticket: profile.ticket.name,
    },
  ]);
});

test("somebody else's page clears them, and what they see themselves comes after nothing of the other", async () => {
  const { recent, see } = setUp();
  await see(an, '1', '1');
  await recent.keepOnly(an);
  expect(await recent.list()).toHaveLength(1);
  await see(binh, '2', '2');
  expect(await recent.list()).toMatchObject([{ ticket: '2' }]);
  await recent.keepOnly('');
  expect(await recent.list()).toEqual([]);
});

test('an answer that was asked for before a sign-out is not noted after it', async () => {
  const { recent } = setUp();
  const note = recent.noting(an);
  await recent.clear();
  await note(sampleProfile());
  expect(await recent.list()).toEqual([]);
});

test.each([null, 'text', { user: an }, { user: an, customers: [{ name: 7 }] }])(
  'something else in the store (%j) counts as nobody',
  async (value) => {
    const { recent, put, see } = setUp();
    put(value);
    expect(await recent.list()).toEqual([]);
    await see(an, '1', '1');
    expect(await recent.list()).toHaveLength(1);
  },
);
