import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTwins, type TwinCandidate } from './match.ts';

const customer = (name: string, rest: Partial<TwinCandidate> = {}): TwinCandidate => ({
  name,
  domain: '',
  orgId: '',
  crmId: '',
  ...rest,
});
/** Each group of twins once, with all that it shares. */
const found = (...customers: TwinCandidate[]) => {
  const groups = new Map<string, string[]>();
  for (const { what, customers: same } of new Set([...findTwins(customers).values()].flat())) {
    const names = same.map(({ name }) => name).join(' & ');
    groups.set(names, [...new Set([...(groups.get(names) ?? []), what])]);
  }
  return [...groups].map(([names, what]) => [what.join('+'), ...names.split(' & ')]);
};

test('the same org id, and the same id in the CRM', () => {
  const [a, b, c] = [
    customer('A', { orgId: '200000001' }),
    customer('B', { orgId: '200000001', crmId: '7' }),
    customer('C', { orgId: '200000002', crmId: '7' }),
  ];
  expect(found(a, b, c)).toEqual([
    ['org id', 'A', 'B'],
    ['CRM id', 'B', 'C'],
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

test('whatever customers there are, a twin has others with which it shares each mark, and these are twins as well', () => {
  const few = fc.constantFrom('', '1', '2', 'a.example');
  const any = fc.record({ name: few, domain: few, orgId: few, crmId: few });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (customers) => {
      const twins = findTwins(customers);
      for (const [one, shared] of twins) {
        expect(new Set(shared.map(({ what }) => what)).size).toBe(shared.length);
        for (const { customers: same } of shared) {
          expect(same.length).toBeGreaterThan(1);
          expect(same).toContain(one);
          for (const other of same) expect(twins.has(other)).toBe(true);
        }
      }
      for (const one of customers) {
        const isTwin = customers.some((other) => other !== one && one.orgId !== '' && other.orgId === one.orgId);
        if (isTwin) expect(twins.has(one)).toBe(true);
      }
    }),
  );
});
