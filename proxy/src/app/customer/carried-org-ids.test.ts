import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { hdCustomer, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { inText } from '#app/testing/pipeline/pipeline-kit.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { carriedOrgIds } from './carried-org-ids.ts';

const ours = inText.value as OrgId;
const typed = '1900000001';

/** A ticket whose former field holds the one, and `custom_orgid` the other. */
async function candidatesOf(profile: string, current: string | null, customer: string | null = null) {
  const orgIdFields = [
    { field: 'custom_platform_profile_orgid', kind: 'profile', value: profile },
    { field: 'custom_orgid', kind: 'current', value: current },
  ] as const;
  const file = ticketFile('1', null, { orgIdFields: [...orgIdFields] });
  const { decisions } = memoryStore();
  // Intake found it.
  await decisions.add(decisionDraft('1', { findings: [inText] }), 0, null);
  const held = customer === null ? null : hdCustomer('Shop', { custom_platform_orgid: customer });
  const { candidates } = await carriedOrgIds(decisions, { ...file, customer: held });
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
