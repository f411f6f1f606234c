import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTwins, keeperOf, type TwinCandidate } from './find-twins.ts';

const customer = (name: string, rest: Partial<TwinCandidate> = {}): TwinCandidate => ({
  name,
  domain: '',
  orgId: '',
  crmId: '',
  ...rest,
});
const found = (...customers: TwinCandidate[]) =>
  findTwins(customers).map(({ same, customers: group }) => [
    same.map(({ what }) => what).join('+'),
    ...group.map(({ name }) => name),
  ]);

test('the same org id, and the same id in the CRM', () => {
  const [a, b, c] = [
    customer('A', { orgId: '200000001' }),
    customer('B', { orgId: '200000001', crmId: '7' }),
    customer('C', { orgId: '200000002', crmId: '7' }),
  ];
  expect(found(a, b, c)).toEqual([
    ['org_id', 'A', 'B'],
    ['crm_id', 'B', 'C'],
  ]);
});

test.each([
  ['Gốm Sứ Làng Mơ', 'Gốm Sứ Làng Mơ - 200000376001'],
  ['gom su lang mo', '200000376001 - Gốm Sứ Làng Mơ'],
  ['Công ty TNHH “Đại-Phát”', 'CÔNG TY TNHH ĐẠI PHÁT - 200000376001'],
  ['360 Store', '360  store. - 200000376001'],
])('one made by hand, %s, beside one with an org id, %s', (byHand, ours) => {
  expect(found(customer(byHand), customer(ours, { orgId: '200000376001' }))).toEqual([['name', byHand, ours]]);
});

test.each([
  ['Gốm Sứ', 'Gốm Sứ Làng Mơ'],
  ['Shop 1', 'Shop 2'],
  ['360 Store', '361 Store'],
])('%s is not %s', (one, other) => {
  expect(found(customer(one), customer(other))).toEqual([]);
});

test('two shops of one name or domain that have an org id each are two shops, and one without it is either', () => {
  const shops = [
    customer('Lan - 200000001', { orgId: '200000001', domain: 'lan.example' }),
    customer('Lan - 200000002', { orgId: '200000002', domain: 'lan.example' }),
  ];
  expect(found(...shops)).toEqual([]);
  expect(found(...shops, customer('lan'))).toEqual([['name', ...shops.map(({ name }) => name), 'lan']]);
});

test('the same domain, however it is written; a reason more makes no further group', () => {
  const one = customer('A', { domain: 'https://www.Shop.example/x?y' });
  const other = customer('a', { domain: 'shop.example.', orgId: '200000001' });
  expect(found(one, other)).toEqual([['name+domain', 'A', 'a']]);
  expect(found(customer('', { domain: ' ' }), customer('-', { domain: '' }))).toEqual([]);
});

test('whatever customers there are, a group has two or more, and no group comes twice', () => {
  const few = fc.constantFrom('', '1', '2', 'a.example');
  const any = fc.record({ name: few, domain: few, orgId: few, crmId: few });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (customers) => {
      const groups = findTwins(customers);
      const keys = groups.map((group) => group.customers.map((one) => customers.indexOf(one)).join());
      expect(new Set(keys).size).toBe(keys.length);
      for (const group of groups) {
        expect(group.customers.length).toBeGreaterThan(1);
        expect(group.same.length).toBeGreaterThan(0);
      }
    }),
  );
});

const twin = (name: string, rest: Partial<Parameters<typeof keeperOf>[0][number]> = {}) => ({
  name,
  orgId: '',
  members: 0,
  tickets: 0,
  creation: '2026-01-02',
  ...rest,
});

test.each([
  ['the org id', [twin('A', { members: 9, tickets: 9 }), twin('B', { orgId: '7' })], 'B', 'org_id'],
  ['one in its name', [twin('A', { members: 9 }), twin('B - 200000001')], 'B - 200000001', 'org_id'],
  ['its field rather than its name', [twin('A - 7'), twin('B', { orgId: '7' })], 'B', 'org_id'],
  ['more members', [twin('A', { tickets: 9 }), twin('B', { members: 1 })], 'B', 'members'],
  ['more tickets', [twin('A', { members: 1 }), twin('B', { members: 1, tickets: 1 })], 'B', 'tickets'],
  ['nothing more, but older', [twin('A'), twin('B', { creation: '2026-01-01' })], 'B', 'older'],
])('of twins the one that has %s is kept', (_, twins, name, why) => {
  expect(keeperOf(twins)).toMatchObject({ keep: { name }, why });
});

test('two org ids are two companies', () => {
  expect(keeperOf([twin('A', { orgId: '7' }), twin('B', { orgId: '8' })])).toBeNull();
  expect(keeperOf([twin('A - 200000001'), twin('B', { orgId: '8' })])).toBeNull();
});
