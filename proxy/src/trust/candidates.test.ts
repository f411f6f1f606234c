import { parseOrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import { inText } from '#routing/testing/pipeline-kit.ts';
import * as decisions from '#store/decisions.ts';
import { medium as ours } from '#testing/sample-companies.ts';
import { testContext } from '#testing/test-context.ts';
import { carriedOrgIds } from './evidence.ts';

const typed = '1900000001';

/** A ticket whose former field holds the one, and `custom_orgid` the other. */
async function candidatesOf(profile: string, current: string | null, customer: string | null = null) {
  const ctx = testContext();
  const { desk, db } = ctx;
  const platformOrgId = parseOrgId(customer);
  if (platformOrgId) desk.customers.set('Shop', { platformOrgId });
  const held = platformOrgId && { customer: 'Shop' };
  desk.insert('1', { custom_platform_profile_orgid: profile, custom_orgid: current, ...held });
  // Intake found it.
  await decisions.add(
    db,
    decisionDraft('1', { findings: [inText], ticket_creation: desk.keyOf('1').creation }),
    0,
    null,
  );
  const { candidates } = await carriedOrgIds(ctx, await desk.fileOf('1'));
  return candidates.map(({ orgId, field }) => `${orgId} ${field}`);
}

test('a copy of ours is no candidate of its own once somebody has changed or cleared what it was copied from', async () => {
  expect(await candidatesOf(ours, typed)).toEqual([`${typed} custom_orgid`]);
  expect(await candidatesOf(ours, null)).toEqual([]);
});

test('as long as it says the same, the candidate is what it was copied from', async () => {
  expect(await candidatesOf(ours, ours)).toEqual([`${ours} custom_orgid`]);
});

test('what the customer has stays the customer’s, also where we copied it to the ticket', async () => {
  expect(await candidatesOf(ours, typed, ours)).toEqual([`${typed} custom_orgid`, `${ours} custom_platform_orgid`]);
});

test('what somebody else put into a former field comes first, as ever', async () => {
  const other = '200000317825';
  expect(await candidatesOf(other, typed)).toEqual([`${other} custom_platform_profile_orgid`, `${typed} custom_orgid`]);
});
