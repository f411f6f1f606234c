import { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { testContext } from '#app/testing/test-context.ts';
import { company } from '#ports/testing/sample-company.ts';
import { createShowExpiring, listExpiring } from './list-expiring.ts';

const day = 86_400_000;
const { signal } = new AbortController();
const orgIds = ['1000069001', '1000069002', '1000069003', '1000069004', '1000069005'].map((id) => OrgId.parse(id));

/**
 * One customer for each org id, with an open ticket each and one that is closed; `plans`: in how many days their plans end,
 * as the CRM has said.
 */
async function setUp(plans: readonly (number | null)[]) {
  const ctx = testContext();
  const { desk, clock, profileCache: cache } = ctx;
  const now = clock();
  for (const [nth, days] of plans.entries()) {
    const orgId = orgIds[nth] as OrgId;
    const planExpiresAt = days === null ? null : now + days * day;
    const entry = { companies: [company(orgId, { planExpiresAt })], checkedAt: now - (nth + 1) * day, outdated: false };
    await cache.putCompanies('crm.example', 'platform_orgid_then_company_id', new Map([[orgId, entry]]), now);
  }
  for (const [nth, platformOrgId] of orgIds.entries()) {
    const customer = `Customer ${nth}`;
    desk.customers.set(customer, { platformOrgId });
    desk.insert(`${nth}`, { customer });
    desk.insert(`closed ${nth}`, { customer });
    desk.personSetsStatus(`closed ${nth}`, 'Closed');
  }
  return { clock, cache, desk, ctx: { ...ctx, crm: { cache, portal: 'crm.example' } } };
}

test('customers whose plan ends within thirty days come with their open tickets, the first to end first', async () => {
  const { ctx, desk } = await setUp([29.9, 3, 30, -0.1]);
  for (const name of ['a', 'b', 'c']) desk.insert(name, { customer: 'Customer 1' });
  const found = await listExpiring(ctx, signal);
  expect(found).toMatchObject({ tickets: 8, is_cut: false, unknown: 1, oldest_check: '2026-05-04T00:00:00.000Z' });
  expect(found.customers).toMatchObject([
    {
      customer: 'Customer 1',
      days_left: 3,
      tickets: 4,
      newest: ['c', 'b', 'a'],
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
  const { ctx, clock, desk } = await setUp([3]);
  const asked = () => desk.simulator.journal.filter(({ path }) => path === '/api/resource/HD Ticket').length;
  const show = createShowExpiring(ctx);
  await Promise.all([show(), show()]);
  clock.advance(4 * 60_000);
  await show();
  expect(asked()).toBe(1);
  clock.advance(5 * 60_000);
  desk.simulator.fault = ({ path }) => (path === '/api/resource/HD Ticket' ? 503 : null);
  await expect(show()).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(show()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(asked()).toBe(3);
});
