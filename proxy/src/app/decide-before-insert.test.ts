import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { lifetimesOf } from '../domain/freshness.ts';
import type { CrmCompany } from '../ports/crm.ts';
import { createDecideBeforeInsert } from './decide-before-insert.ts';
import { createSearchLocally } from './search-locally.ts';
import { fakeDecisions } from './testing/fake-pipeline-store.ts';
import { company, fakeCache, fakeClock } from './testing/fakes.ts';
import { medium, routingConfig, scale } from './testing/pipeline-kit.ts';

const key = 'f406078a-e7ad-40ae-8040-d587741e5a1e';
const ticket = { key, owner: 'vy@shop.example', orgId: medium as OrgId | null, agentGroup: null as string | null };

async function setUp({ claims = 'accept', known = true }: { claims?: 'accept' | 'propose'; known?: boolean } = {}) {
  const clock = fakeClock();
  const cache = fakeCache();
  const decisions = fakeDecisions();
  const found = company(
    medium,
    { emails: ['chu@shop.example'] },
    { customer_segment: 'Medium', current_shopplan: 'OMNI SCALE 2025' },
  );
  const by = 'platform_orgid_then_company_id';
  if (known)
    await cache.putCompanies('p', by, new Map([[medium, { companies: [found], checkedAt: clock() }]]), clock());
  const searchLocally = createSearchLocally({
    ...{ cache, portal: 'p', lifetimes: lifetimesOf(60), clock },
    nameSegments: (companies: CrmCompany[]) => companies,
  });
  const decide = createDecideBeforeInsert({ searchLocally, decisions, routing: { ...routingConfig, claims }, clock });
  return { clock, decisions, decide };
}

test('what this service knows decides, and is kept under the ticket’s key', async () => {
  const { decide, decisions } = await setUp();
  expect(await decide(ticket)).toEqual({
    agentGroup: scale,
    segment: 'Medium',
    shopplan: 'Medium Scale',
    servicePlan: 'OMNI SCALE 2025',
    status: 'Complete',
    reason: `Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025, Source=hd_customer. Target team=${scale}.`,
  });
  expect(await decisions.preliminary(key)).toMatchObject({ key, team: scale });
});

test.each([
  ['a ticket with a group', { agentGroup: 'CS 60p' }, {}],
  ['a ticket without org id', { orgId: null }, {}],
  ['an org id that nobody has looked up', {}, { known: false }],
  ['a claim, where claims are not trusted', {}, { claims: 'propose' as const }],
])('%s is left to the pipeline', async (_, change, options) => {
  const { decide, decisions } = await setUp(options);
  expect(await decide({ ...ticket, ...change })).toBeNull();
  expect(await decisions.preliminary(key)).toBeNull();
});

test('an old answer of the CRM proves nothing any more', async () => {
  const { decide, clock } = await setUp();
  clock.advance(61 * 60_000);
  expect(await decide(ticket)).toBeNull();
});

test('who writes under an address of the company is believed also where claims are not', async () => {
  const { decide } = await setUp({ claims: 'propose' });
  expect(await decide({ ...ticket, owner: 'Chu@shop.example' })).toMatchObject({ agentGroup: scale });
});
