import { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { company, fakeCache, fakeClock } from '#app/testing/fakes.ts';
import { createShowExpiring, listExpiring } from './list-expiring.ts';

const day = 86_400_000;
const { signal } = new AbortController();
const orgIds = ['1000069001', '1000069002', '1000069003', '1000069004', '1000069005'].map((id) => OrgId.parse(id));

/** One customer for each org id, with a ticket each; `plans`: in how many days their plans end, as the CRM has said. */
async function setUp(plans: readonly (number | null)[], more: { name: string; customer: string; orgId: OrgId }[] = []) {
  const [clock, cache] = [fakeClock(), fakeCache()];
  const now = clock();
  for (const [nth, days] of plans.entries()) {
    const orgId = orgIds[nth] as OrgId;
    const planExpiresAt = days === null ? null : now + days * day;
    const entry = { companies: [company(orgId, { planExpiresAt })], checkedAt: now - (nth + 1) * day, outdated: false };
    await cache.putCompanies('crm.example', 'platform_orgid_then_company_id', new Map([[orgId, entry]]), now);
  }
  const tickets = orgIds.map((orgId, nth) => ({ name: `${nth}`, customer: `Customer ${nth}`, orgId }));
  const search = { openTickets: async () => ({ tickets: [...more, ...tickets], isCut: false }) };
  return { clock, cache, ctx: { search, clock, crm: { cache, portal: 'crm.example' } } };
}

test('customers whose plan ends within thirty days come with their open tickets, the first to end first', async () => {
  const again = ['a', 'b', 'c'].map((name) => ({ name, customer: 'Customer 1', orgId: orgIds[1] as OrgId }));
  const { ctx } = await setUp([29.9, 3, 30, -0.1], again);
  const found = await listExpiring(ctx, signal);
  expect(found).toMatchObject({ tickets: 8, is_cut: false, unknown: 1, oldest_check: '2026-05-04T00:00:00.000Z' });
  expect(found.customers).toMatchObject([
    {
      customer: 'Customer 1',
      days_left: 3,
      tickets: 4,
      newest: ['a', 'b', 'c'],
      checked_at: '2026-05-06T00:00:00.000Z',
    },
    { customer: 'Customer 0', days_left: 29, tickets: 1, newest: ['0'], plan: 'Grow 2024' },
  ]);
});

test('of two answers of the CRM the later one counts, and a plan without an end never ends', async () => {
  const { ctx, cache, clock } = await setUp([5, null]);
  const [first] = orgIds as [OrgId];
  const renewed = { companies: [company(first, { planExpiresAt: clock() + 400 * day })], checkedAt: clock() };
  await cache.putCompanies('crm.example', 'company_id', new Map([[first, { ...renewed, outdated: false }]]), clock());
  expect((await listExpiring(ctx, signal)).customers).toEqual([]);
});

test('without a CRM nobody says when a plan ends', async () => {
  const { ctx } = await setUp([3]);
  expect(await listExpiring({ ...ctx, crm: null }, signal)).toMatchObject({
    unknown: 5,
    oldest_check: null,
    customers: [],
  });
});

test('the helpdesk is asked every five minutes at most, and again where it failed', async () => {
  const { ctx, clock } = await setUp([3]);
  let asked = 0;
  let fails = false;
  const openTickets = async () => {
    asked += 1;
    if (fails) throw new Error('down');
    return { tickets: [], isCut: false };
  };
  const show = createShowExpiring({ ...ctx, search: { openTickets } });
  await Promise.all([show(), show()]);
  clock.advance(4 * 60_000);
  await show();
  expect(asked).toBe(1);
  clock.advance(5 * 60_000);
  fails = true;
  await expect(show()).rejects.toThrow('down');
  await expect(show()).rejects.toThrow('down');
  expect(asked).toBe(3);
});
