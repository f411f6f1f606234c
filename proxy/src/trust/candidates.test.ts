import { parseOrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { growing, medium as ours } from '#crm/testing/sample-companies.ts';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import * as decisions from '#store/decisions.ts';
import { inText } from '#testing/pipeline-kit.ts';
import { testContext } from '#testing/test-context.ts';
import { carriedOrgIds } from './evidence.ts';

const typed = '1900000001';

/** A ticket whose former field holds the one, and `custom_orgid` the other. */
async function candidatesOf(profile: string, current: string | null, customer?: string) {
  const ctx = testContext();
  const { desk, db } = ctx;
  const platformOrgId = parseOrgId(customer ?? null);
  if (platformOrgId) desk.customers.set('Shop', { platformOrgId });
  const held = platformOrgId && { customer: 'Shop' };
  desk.insert('1', { custom_platform_profile_orgid: profile, custom_orgid: current, ...held });
  // Intake found it the first time, and something else since.
  for (const [after, finding] of [inText, { ...inText, value: '77' }].entries()) {
    const inputs = { findings: [finding], ticket_creation: desk.keyOf('1').creation };
    await decisions.add(db, decisionDraft('1', inputs), after, null);
  }
  const { candidates } = await carriedOrgIds(ctx, await desk.fileOf('1'));
  return candidates.map(({ orgId, field }) => `${orgId} ${field}`);
}

test('a site without the field for org ids has those of its customers', async () => {
  const ctx = testContext();
  ctx.desk.customers.set('Shop', { platformOrgId: ours });
  ctx.desk.insert('1', { customer: 'Shop' });
  const { ticket, customer } = await ctx.desk.fileOf('1');
  const { candidates } = await carriedOrgIds(ctx, { ticket: { ...ticket, orgIdFields: [] }, customer, contact: null });
  expect(candidates.map(({ orgId }) => orgId)).toEqual([ours]);
});

test('what a former field holds besides is told as unusable, and is no copy of an empty one', async () => {
  const ctx = testContext();
  ctx.desk.insert('1', { custom_platform_profile_orgid: 'see below', custom_orgid: null });
  expect((await carriedOrgIds(ctx, await ctx.desk.fileOf('1'))).unusable).toEqual(['custom_platform_profile_orgid']);
});

test.each<[string, [string, string | null, string?], string[]]>([
  ['a copy of ours of what somebody has changed since is none', [ours, typed], [`${typed} custom_orgid`]],
  ['nor of what somebody has cleared since', [ours, null], []],
  ['as long as it says the same, it is what it was copied from', [ours, ours], [`${ours} custom_orgid`]],
  [
    'what the customer has stays the customer’s, also where we copied it to the ticket',
    [ours, typed, ours],
    [`${typed} custom_orgid`, `${ours} custom_platform_orgid`],
  ],
  [
    'what somebody else put into a former field comes first, as ever',
    [growing, typed],
    [`${growing} custom_platform_profile_orgid`, `${typed} custom_orgid`],
  ],
])('candidates: %s', async (_, [profile, current, customer], candidates) => {
  expect(await candidatesOf(profile, current, customer)).toEqual(candidates);
});
