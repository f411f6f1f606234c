import { Company } from '@deskside/shared/profile';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FieldMap } from './field-map.ts';
import { normalizeCompany } from './normalize-company.ts';

const map = FieldMap.parse({});
const portal = 'https://crm.example.test';

/** A company as a portal answers it. */
const row = {
  ID: '63001',
  TITLE: ' Tiệm Hoa Mẫu - 1000069001',
  ASSIGNED_BY_ID: '338',
  DATE_CREATE: '2024-03-31T03:12:32+03:00',
  DATE_MODIFY: '2026-05-05T21:40:10+03:00',
  ADDRESS_REGION: 'Hồ Chí Minh',
  ADDRESS_COUNTRY: 'Việt Nam',
  UF_CRM_COMPANY_ID: '1000069001',
  UF_CRM_STORENAME: ' Tiệm Hoa Mẫu',
  UF_CRM_VERIFIED_STATUS: '',
  UF_CRM_COMPANY_STAGE: 'Active',
  UF_CRM_SHOP_OWNER_NAME: 'Nguyễn Thị Mẫu',
  UF_CRM_SHOP_OWNER_PHONE_NUMBER: '0900000001',
  PHONE: [{ ID: '7', VALUE: '028 3800 0001', VALUE_TYPE: 'WORK' }, { VALUE: '028 3800 0002' }],
  UF_CRM_DATE_CREATED_SHOP: '2016-01-19T11:12:14+03:00',
  UF_CRM_FIRST_PAID_DATE: '2016-01-20T12:42:35+03:00',
  UF_CRM_DATE_SIGNED_CURRENT_SHOPPLAN: '2016-01-20T12:43:00+03:00',
  UF_CRM_DATE_EXPIRED_SHOPPLAN: '2020-01-20T12:42:37+03:00',
  UF_CRM_CURRENT_SHOPPLAN: 'Chuyên nghiệp',
  UF_CRM_CURRENT_HSI_SEGMENT: 'HSI_1',
  UF_CRM_CURRENT_HSI_DETAIL: '0E-7',
  UF_CRM_PLATFORM_MEMBERSHIP: 'Member',
  UF_CRM_1778130421650: '15090',
};

test('the sample is normalised as the predecessor did', () => {
  expect(normalizeCompany(row, map, portal)).toMatchObject({
    bitrix_id: '63001',
    company_id: '1000069001',
    company_name: 'Tiệm Hoa Mẫu',
    title_full: 'Tiệm Hoa Mẫu - 1000069001',
    url: 'https://crm.example.test/crm/company/details/63001/',
    date_create: '31/03/2024',
    date_modify: '05/05/2026',
    verified_status: null,
    owner_phone: '0900000001',
    company_phone: '028 3800 0001',
    company_email: null,
    shop_created_date: '19/01/2016',
    first_shopplan_date: '20/01/2016',
    shopplan_expiry: '20/01/2020',
    current_shopplan: 'Chuyên nghiệp',
    current_hsi_segment: 'HSI_1',
    current_hsi_detail: '0',
    membership: 'Member',
    customer_segment: 'SME',
    customer_segment_code: '15090',
  });
});

test.each([
  ['Tiệm Hoa - 1000069001', 'Tiệm Hoa'],
  ['Tiệm Hoa', 'Tiệm Hoa'],
  ['👟 Giày Bước Êm 🇻🇳 - 1000069001', '👟 Giày Bước Êm 🇻🇳'],
  ['Tiệm - Hoa - 1000069001', 'Tiệm - Hoa'],
  ['1000069001', '1000069001'],
  ['Shop1000069001', 'Shop1000069001'],
  ['', null],
])('without a store name, the title %j gives the name %j', (TITLE, name) => {
  expect(normalizeCompany({ ...row, UF_CRM_STORENAME: '', TITLE }, map, portal).company_name).toBe(name);
});

test.each([
  ['15092', 'Medium'],
  [15092, 'Medium'],
  [['15092'], 'Medium'],
  [['', '15094'], 'Enterprise'],
  ['15999', '15999'],
  ['constructor', 'constructor'],
  [false, null],
])('segment %j is %j', (value, segment) => {
  expect(normalizeCompany({ ...row, UF_CRM_1778130421650: value }, map, portal).customer_segment).toBe(segment);
});

test('a configured field is shown under its own label, an empty one is left out', () => {
  const extra = [
    { field: 'UF_CRM_GMV', key: 'gmv', label: 'GMV', group: 'metrics' },
    { field: 'UF_CRM_PROFIT', key: 'profit', label: 'Profit', group: 'profit' },
    { field: 'UF_CRM_MARGIN', key: 'margin', label: 'Margin', group: 'profit' },
    { field: 'UF_CRM_CHANNELS', key: 'channels', label: 'Kênh bán', group: 'context' },
    { field: 'UF_CRM_NOTE', key: 'note', label: 'Note', group: 'context' },
  ];
  const company = normalizeCompany(
    {
      ...row,
      UF_CRM_GMV: '41500000|VND',
      UF_CRM_PROFIT: '9800000|VND',
      UF_CRM_MARGIN: '12.5',
      UF_CRM_CHANNELS: ['Shopee', 'TikTok'],
      UF_CRM_NOTE: '',
    },
    FieldMap.parse({ extra }),
    portal,
  );
  expect(company.metrics).toEqual([{ key: 'gmv', label: 'GMV', value: '41 500 000 VND' }]);
  expect(company.context).toEqual([{ key: 'channels', label: 'Kênh bán', value: 'Shopee, TikTok' }]);
  expect(company.profit).toEqual([
    { key: 'profit', label: 'Profit', value: '9 800 000 VND' },
    { key: 'margin', label: 'Margin', value: '12.5' },
  ]);
  const none = normalizeCompany(row, FieldMap.parse({ extra }), portal);
  for (const group of ['metrics', 'profit', 'context']) expect(none).not.toHaveProperty(group);
});

test.each(['63001/../..', 'javascript:alert(1)', '', '6 3'])('an id such as %j makes no link', (ID) => {
  expect(normalizeCompany({ ...row, ID }, map, portal).url).toBeNull();
});

test('any record becomes a company that fits the contract, and never an error', () => {
  const value = fc.dictionary(fc.constantFrom(...Object.keys(row)), fc.jsonValue());
  fc.assert(fc.property(value, (record) => Company.safeParse(normalizeCompany(record, map, portal)).success));
});
