import { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { type Found, orderFound } from './find-companies.ts';

const found = (crmId: string, rank: number, orgId: string | null = `1${crmId}`): Found => ({
  orgId: orgId === null ? null : OrgId.parse(orgId),
  crmId,
  name: crmId,
  url: null,
  plan: null,
  planExpiresAt: null,
  modifiedAt: null,
  customer: null,
  twins: 0,
  reasons: [{ by: 'name', value: crmId, rank }] as Found['reasons'],
});
const choice = (orgId: string, crmCompanyId: string) => ({ orgId: OrgId.parse(orgId), crmCompanyId });
const ids = (companies: Found[]) => companies.map(({ crmId }) => crmId);

test('of equal matches those that agents chose for the sender come first, the latest choice before the others', () => {
  const all = [found('63001', 3), found('63002', 3), found('63003', 3)];
  expect(ids(orderFound(all, []))).toEqual(['63001', '63002', '63003']);
  const choices = [choice('163003', '9'), choice('999999', '63002')];
  expect(ids(orderFound(all, choices))).toEqual(['63003', '63002', '63001']);
});

test('a closer match stays before what was chosen, and what was chosen but not found is not added', () => {
  const all = [found('63001', 3), found('63002', 1)];
  expect(ids(orderFound(all, [choice('163001', '63001'), choice('888888', '1')]))).toEqual(['63002', '63001']);
});
