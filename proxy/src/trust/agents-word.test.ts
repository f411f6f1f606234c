import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chosenFirst, isRejected, leaderOf, standsOn } from './companies.ts';

const orgId = fc.constantFrom('1', '2', '3', '4').map((id) => id as OrgId);
const company = fc.record({
  orgId,
  crmCompanyId: fc.constantFrom(null, 'a', 'b'),
});
const levels = { claimed: 0, likely: 1, confirmed: 2 };
const trust = fc.constantFrom('claimed', 'likely', 'confirmed').map((level): LookupTrust => ({ level, evidence: [] }));
const weighed = fc.record({ orgId, trust, isRejected: fc.boolean() });

test.each([
  ['the customer has the same name', 'A', null, true],
  ['it was renamed, and has its org id', 'B', '1', true],
  ['it is another one', 'B', '2', false],
  ['it is one without org id', 'B', null, false],
  ['there is none any more', null, null, false],
])('a Sync stands or falls with the ticket’s customer: %s', (_, customer, customerOrgId, expected) => {
  const sync = { orgId: '1' as OrgId, customer: 'A' };
  expect(standsOn(sync, { customer, customerOrgId: customerOrgId as OrgId | null })).toBe(expected);
});

test.each([
  ['by its org id', { orgId: '1', crmCompanyId: null }, true],
  ['by its id in the CRM', { orgId: '9', crmCompanyId: 'a' }, true],
  ['another one', { orgId: '9', crmCompanyId: 'b' }, false],
  ['one that the CRM does not have', { orgId: '9', crmCompanyId: null }, false],
])('a company is rejected: %s', (_, ids, expected) => {
  const rejections = [
    { orgId: '1' as OrgId, crmCompanyId: 'a' },
    { orgId: '2' as OrgId, crmCompanyId: null },
  ];
  expect(isRejected({ ...ids, orgId: ids.orgId as OrgId }, rejections)).toBe(expected);
});

test('what was chosen earlier comes first, the latest choice before the others, and the rest keeps its order', () => {
  const of = (...ids: string[]) => ids.map((id) => ({ orgId: id as OrgId, crmCompanyId: null }));
  const order = chosenFirst(of('1', '2', '3', '4'), of('9', '3', '2', '3')).map(({ orgId }) => orgId);
  expect(order).toEqual(['3', '2', '1', '4']);
});

test('choices add nothing and take nothing away', () => {
  fc.assert(
    fc.property(fc.array(company), fc.array(company), (items, choices) => {
      const ordered = chosenFirst(items, choices);
      expect(ordered).toHaveLength(items.length);
      expect(new Set(ordered)).toEqual(new Set(items));
      expect(chosenFirst(ordered, choices)).toEqual(ordered);
    }),
  );
});

test('choices vouch for nothing: whatever they are, who leads is as well vouched for as without them', () => {
  fc.assert(
    fc.property(fc.array(weighed), fc.array(company), (items, choices) => {
      const without = leaderOf(items);
      const leader = leaderOf(chosenFirst(items, choices));
      expect(leader?.trust.level).toBe(without?.trust.level);
      expect(leader === undefined || !leader.isRejected).toBe(true);
      const best = Math.max(-1, ...items.filter((one) => !one.isRejected).map((one) => levels[one.trust.level]));
      expect(leader === undefined ? -1 : levels[leader.trust.level]).toBe(best);
    }),
  );
});
