import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelledOrgIds, tidyText } from './org-id.ts';

const idsIn = (text: string) => labelledOrgIds(tidyText(text), 20).map(({ orgId }) => orgId as string);

test.each([
  ...['org id: 1000069001', 'OrgID=1000069001', 'ORG_ID 1000069001', 'org-id #1000069001', 'my org id is 1000069001'],
  ...['Organization ID: 1000069001', 'organisation id 1000069001', 'Company ID:1000069001', '(shop id: 1000069001)'],
  ...[
    'Store ID\u00a01000069001.',
    'Mã shop: 1000069001',
    'ma shop 1000069001',
    'Mã shop là 1000069001',
    'MÃ SHOP:1000069001',
  ],
  ...['Mã cửa hàng = 1000069001', 'ma cua hang 1000069001', 'mã công ty #1000069001', 'Mã tổ chức: 1000069001'],
  ...['ID shop 1000069001', 'ID cửa hàng: 1000069001', '- shop id: 1000069001', 'shop id:\n1000069001, cảm ơn'],
  ...[
    'mã cửa hàng 1000069001'.normalize('NFD'),
    'shop id:\u200b 1000069001',
    'Shop  mã  shop  1000069001'.replace(/ {2}/, ' '),
  ],
])('%j says 1000069001', (text) => expect(idsIn(text)).toEqual(['1000069001']));

test.each([
  ...[
    '1000069001',
    '0900000001',
    'gọi 0900000001',
    'đơn hàng 1000069001',
    'mã đơn hàng: 1000069001',
    'hotline:19000001',
  ],
  ...['shop id: 1234', `shop id: ${'1'.repeat(21)}`, 'shop id: 000000', 'shop id: 12345.6', 'shop id: 12345-678'],
  ...[
    'shop id: 12345abc',
    'shop id1000069001',
    'workshop id: 1000069001',
    'mã shopee: 1000069001',
    'mà shop 1000069001',
  ],
  ...['https://shopee.vn/x?shop_id=1000069001', 'shopee.vn/x?shop_id=1000069001', 'https://x.vn/a,shop id:1'],
  ...['https://x.example/a/(shopid=1000069001)', 'a&shopid=1000069001', 'eshop-id 1000069001', 'x-shop-id 1000069001'],
])('%j says nothing', (text) => expect(idsIn(text)).toEqual([]));

test('the quotation is the passage as it was written', () => {
  const text = tidyText('😀 Chào shop, Mã Cửa Hàng: 1000069001 và OrgID 200000376001 nhé');
  expect(labelledOrgIds(text, 20)).toEqual([
    { orgId: '1000069001', quote: 'Mã Cửa Hàng: 1000069001' },
    { orgId: '200000376001', quote: 'OrgID 200000376001' },
  ]);
  expect(labelledOrgIds(text, 1)).toHaveLength(1);
});

test('a labelled id is found in whatever text surrounds it, and quoted from there', () => {
  const around = fc.string({ unit: 'grapheme', maxLength: 100 });
  const label = fc.constantFrom('Mã cửa hàng', 'shop id', 'ID công ty', 'İ Org ID');
  fc.assert(
    fc.property(around, label, fc.stringMatching(/^[1-9]\d{4,19}$/), around, (before, name, id, after) => {
      const text = tidyText(`${before}\n${name}: ${id}\n${after}`);
      for (const { orgId, quote } of labelledOrgIds(text, 20)) expect(quote.endsWith(orgId)).toBe(true);
      expect(idsIn(text)).toContain(id);
    }),
  );
});
