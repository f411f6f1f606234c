import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderCandidates, orgIdInName } from './org-id.ts';

test('candidates come in the order of decision 5, first occurrence kept', () => {
  const { candidates } = orderCandidates(
    [
      { field: 'custom_platform_profile_orgid', value: '200000317825' },
      { field: 'custom_orgid', value: 1900000001 },
      { field: 'custom_org_id', value: '200000317825' },
    ],
    { name: 'Tiệm Hoa Mẫu - 1000069001', orgIdField: { field: 'custom_platform_orgid', value: '1900000001' } },
  );
  expect(candidates).toEqual([
    { orgId: '200000317825', source: 'ticket', field: 'custom_platform_profile_orgid' },
    { orgId: '1900000001', source: 'ticket', field: 'custom_orgid' },
    { orgId: '1000069001', source: 'customer_name', field: 'name' },
  ]);
});

test('a value that is no org id is reported by its field, an empty one is not', () => {
  const fields = [
    { field: 'custom_orgid', value: 'shop.example' },
    { field: 'custom_org_id', value: '' },
    { field: 'custom_platform_profile_orgid', value: 0 },
  ];
  expect(orderCandidates(fields, null)).toEqual({ candidates: [], unusable: ['custom_orgid'] });
});

test.each([
  ['Tiệm Hoa Mẫu - 1000069001', '1000069001'],
  ['1000069001 - Tiệm Hoa Mẫu', '1000069001'],
  ['360 Store - 200000376001', '200000376001'],
  ['A - B - 77 ', '77'],
])('%j names %j', (name, orgId) => expect(orgIdInName(name)).toBe(orgId));

test.each([
  '360 Store',
  '1000069001',
  'Shop-1000069001',
  'Shop 1000069001',
  ' - 1000069001',
  'Shop - 1000069001a',
  '- 5 -',
  '',
])('%j names no org id', (name) => expect(orgIdInName(name)).toBeNull());

test('whatever stands in the fields, every candidate is an org id and stands once', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ field: fc.string(), value: fc.anything() })), fc.string(), (fields, name) => {
      const ids = orderCandidates(fields, { name, orgIdField: { field: 'x', value: null } }).candidates.map(
        (c) => c.orgId,
      );
      return ids.every((id) => /^\d{1,20}$/.test(id)) && new Set(ids).size === ids.length;
    }),
  );
});
