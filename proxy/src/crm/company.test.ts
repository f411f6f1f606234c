import { OrgId } from '@deskside/shared/orgid';
import { Company } from '@deskside/shared/profile';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { companiesOf, companyFields, FieldMap, joinedName, namedSegment, planStatus, scrubPayload } from './company.ts';
import { dateOf, decimalOf, instantOf, nameOf, scalar } from './values.ts';

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

test.each([
  ['the platform field alone', undefined],
  ['another Company ID as well', '200000009'],
])('the Company ID of a company that is known by %s is the org id that was looked up', (_, companyId) => {
  const record = { ...row, UF_CRM_COMPANY_ID: companyId, UF_CRM_PLATFORM_ORG_ID: '1000069001' };
  const orgId = '1000069001' as OrgId;
  expect(companyFields(record, { fieldMap: map, portal }, orgId)).toMatchObject({
    company_id: orgId,
    company_name: 'Tiệm Hoa Mẫu',
  });
});

test('the sample is normalised as the predecessor did', () => {
  expect(companyFields(row, { fieldMap: map, portal })).toMatchObject({
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
  expect(companyFields({ ...row, UF_CRM_STORENAME: '', TITLE }, { fieldMap: map, portal }).company_name).toBe(name);
});

test.each([
  ['15092', 'Medium'],
  [['', '15094'], 'Enterprise'],
  ['15999', '15999'],
  ['constructor', 'constructor'],
])('segment %j is %j', (value, segment) => {
  expect(companyFields({ ...row, UF_CRM_1778130421650: value }, { fieldMap: map, portal }).customer_segment).toBe(
    segment,
  );
});

test('a configured field is shown under its own label, an empty one is left out', () => {
  const extra = [
    { field: 'UF_CRM_GMV', key: 'gmv', label: 'GMV', group: 'metrics' },
    { field: 'UF_CRM_PROFIT', key: 'profit', label: 'Profit', group: 'profit' },
    { field: 'UF_CRM_MARGIN', key: 'margin', label: 'Margin', group: 'profit' },
    { field: 'UF_CRM_CHANNELS', key: 'channels', label: 'Kênh bán', group: 'context' },
    { field: 'UF_CRM_NOTE', key: 'note', label: 'Note', group: 'context' },
  ];
  const company = companyFields(
    {
      ...row,
      UF_CRM_GMV: '41500000|VND',
      UF_CRM_PROFIT: '9800000|VND',
      UF_CRM_MARGIN: '12.5',
      UF_CRM_CHANNELS: ['Shopee', '', 'TikTok'],
      UF_CRM_NOTE: '',
    },
    { fieldMap: FieldMap.parse({ extra }), portal },
  );
  expect(company.metrics).toEqual([{ key: 'gmv', label: 'GMV', value: '41 500 000 VND' }]);
  expect(company.context).toEqual([{ key: 'channels', label: 'Kênh bán', value: 'Shopee, TikTok' }]);
  expect(company.profit).toEqual([
    { key: 'profit', label: 'Profit', value: '9 800 000 VND' },
    { key: 'margin', label: 'Margin', value: '12.5' },
  ]);
  const none = companyFields(row, { fieldMap: FieldMap.parse({ extra }), portal });
  for (const group of ['metrics', 'profit', 'context']) expect(none).not.toHaveProperty(group);
});

test.each<[string, unknown, object | null, 'boolean'?]>([
  ['money with a unit', '41500000|VND', { value: '41 500 000 VND' }],
  ['money without a unit', '41500000|', { value: '41 500 000' }],
  ['money with decimals and a sign', '-1234567.5000|USD', { value: '-1 234 567.5 USD' }],
  ['money without an amount', '|VND', null],
  ['money of several', ['1000|VND', '|VND', '2000|'], { value: '1 000 VND, 2 000' }],
  ['true', true, { value: 'yes', type: 'boolean' }],
  ['false, of a field that may be empty like that', false, null],
  ['1, of a field that is said to be one', '1', { value: 'yes', type: 'boolean' }, 'boolean'],
  ['0', '0', { value: 'no', type: 'boolean' }, 'boolean'],
  ['Y', 'Y', { value: 'yes', type: 'boolean' }, 'boolean'],
  ['N', 'N', { value: 'no', type: 'boolean' }, 'boolean'],
  ['false', false, { value: 'no', type: 'boolean' }, 'boolean'],
  ['nothing', null, null, 'boolean'],
  ['what is neither', 'maybe', { value: 'maybe' }, 'boolean'],
  ['1 of any other field', '1', { value: '1' }],
])('%s is shown as what it is', (_, value, shown, type) => {
  const extra = [{ field: 'UF_CRM_X', key: 'x', label: 'X', group: 'context' as const, ...(type && { type }) }];
  const { context } = companyFields({ ...row, UF_CRM_X: value }, { fieldMap: FieldMap.parse({ extra }), portal });
  expect(context).toEqual(shown === null ? undefined : [{ key: 'x', label: 'X', ...shown }]);
});

test('names are read, other values are not', () => {
  const written = {
    UF_CRM_STORENAME: 'Bếp &quot;Xinh&quot; &amp; Gấu',
    UF_CRM_CURRENT_SHOPPLAN: 'OMNI &amp; SCALE',
    UF_CRM_SHOP_OWNER_EMAIL: 'a&amp;b@x.example',
  };
  expect(companyFields({ ...row, ...written }, { fieldMap: map, portal })).toMatchObject({
    company_name: 'Bếp "Xinh" & Gấu',
    current_shopplan: 'OMNI & SCALE',
    owner_email: 'a&amp;b@x.example',
  });
});

test.each(['63001/../..', 'javascript:alert(1)', '', '6 3'])('an id such as %j makes no link', (ID) => {
  expect(companyFields({ ...row, ID }, { fieldMap: map, portal }).url).toBeNull();
});

test('any record becomes a company that fits the contract, and never an error', () => {
  const value = fc.dictionary(fc.constantFrom(...Object.keys(row)), fc.jsonValue());
  fc.assert(
    fc.property(value, (record) => {
      expect(Company.safeParse(companyFields(record, { fieldMap: map, portal })).success).toBe(true);
      for (const one of Object.values(record)) expect(instantOf(one) ?? 0).toSatisfy(Number.isFinite);
    }),
  );
});

describe('the plan', () => {
  const now = Date.parse('2026-03-10T05:00:00Z');
  const day = 86_400_000;

  test.each([
    [now - 1, 'expired', -1],
    [now - day, 'expired', -1],
    [now - day - 1, 'expired', -2],
    [now, 'expiring_soon', 0],
    [now + day - 1, 'expiring_soon', 0],
    [now + 30 * day - 1, 'expiring_soon', 29],
    [now + 30 * day, 'active', 30],
    [Date.parse('2020-01-20T12:42:37+03:00'), 'expired', -2241],
  ])('expiry at %i: %s, %i days', (expiresAt, status, left) => {
    expect(planStatus(expiresAt, now)).toEqual({ shopplan_status: status, shopplan_days_left: left });
  });

  test('without an expiry nothing is claimed', () => expect(planStatus(null, now)).toEqual({}));
});

describe('the payload', () => {
  test('files keep their id and lose their addresses, wherever they are nested, whatever those are called', () => {
    const shown = '/rest/1/s3cr3t/show_file.php?id=1';
    const addresses = { url: 'a', urlMachine: 'b', url_machine: 'c', showUrl: shown, PREVIEW: [{ imageUrl: 'e' }] };
    const file = { id: '9001', ...addresses };
    const kept = { id: '9001', PREVIEW: [{}] };
    const record = { ID: '1', LOGO: file, FILES: [file], DOCUMENTS: [{ VALUE: { FILE: [file] } }] };
    const expected = { ID: '1', LOGO: kept, FILES: [kept], DOCUMENTS: [{ VALUE: { FILE: [kept] } }] };
    expect(JSON.parse(scrubPayload(record))).toEqual(expected);
  });

  test('the same record is the same text, in whatever order its members come', () => {
    expect(scrubPayload({ b: { d: 1, c: 2 }, a: [1] })).toBe(scrubPayload({ a: [1], b: { c: 2, d: 1 } }));
  });

  test('no secret survives anywhere in any record', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constant('https://crm.example/rest/57001/s3cr3t0key/'),
        fc.string(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (record) => {
        expect(scrubPayload(record)).not.toContain('s3cr3t0key');
      }),
    );
  });
});

test.each([
  [{ LAST_NAME: 'Nguyễn', SECOND_NAME: 'Bích', NAME: 'Thảo' }, 'Nguyễn Bích Thảo'],
  [{ NAME: 'Nguyễn', SECOND_NAME: 'Bích', LAST_NAME: 'Thảo' }, 'Nguyễn Bích Thảo'],
  [{ NAME: 'Nguyen', LAST_NAME: 'An' }, 'Nguyen An'],
  [{ NAME: 'An', LAST_NAME: 'Dang' }, 'Dang An'],
  // A given name that has only its letters in common with a family name.
  [{ NAME: 'Lệ', LAST_NAME: 'Hoa' }, 'Hoa Lệ'],
  [{ NAME: 'Nguyễn Bích Thảo', LAST_NAME: '' }, 'Nguyễn Bích Thảo'],
  [{ NAME: 'Võ', LAST_NAME: 'Trần' }, 'Trần Võ'],
  [{ NAME: 'Anna', LAST_NAME: 'Lindqvist' }, 'Lindqvist Anna'],
  [{}, ''],
])('the parts of a name, %o, are joined in Vietnamese order', (row, name) => {
  expect(joinedName(row)).toBe(name);
});

test.each([
  [' Tiệm Hoa Mẫu ', 'Tiệm Hoa Mẫu'],
  ['', null],
  ['  ', null],
  [null, null],
  [undefined, null],
  [false, null],
  [0, '0'],
  [15092, '15092'],
  [['15092'], '15092'],
  [['', '15092'], '15092'],
  [[], null],
  [{ VALUE: 'a', TEXT: 'b' }, 'a'],
  [{ NAME: ' n ' }, 'n'],
  [{ other: 'x' }, null],
  [{}, null],
])('scalar of %j is %j', (value, expected) => expect(scalar(value)).toBe(expected));

test.each([
  ['Tuấn &amp; Anh', 'Tuấn & Anh'],
  ['Tuấn &amp;amp; Anh', 'Tuấn &amp; Anh'],
  ['&lt;b&gt; &quot;Xinh&quot; &#039;n&#39; &apos;m&apos;', `<b> "Xinh" 'n' 'm'`],
  ['Caf&#233; &#xE9; &#x1F45F;', 'Café é 👟'],
  ['A&nbsp;B', 'A B'],
  [' &nbsp; ', null],
  ['A & B; C &nothing; D&amp E', 'A & B; C &nothing; D&amp E'],
  ['&#0; &#xD800; &#99999999;', '\ufffd \ufffd \ufffd'],
  ['Tie\u0302\u0323m', 'Tiệm'],
  ['\u202eShop\u2066 \u200bA\ufeff&#8238;', 'Shop A'],
  ['👩\u200d🌾', '👩\u200d🌾'],
  [null, null],
])('the name %j is %j: entities are decoded once', (value, expected) => expect(nameOf(value)).toBe(expected));

describe('dates are the day in the CRM’s own offset', () => {
  test.each([
    ['2016-01-19T11:12:14+03:00', '19/01/2016'],
    ['2026-01-31T22:30:00+03:00', '31/01/2026'],
    ['2026-01-31', '31/01/2026'],
    ['chưa rõ', 'chưa rõ'],
    ['31/01/2026', '31/01/2026'],
    ['2026-13-41T00:00:00+03:00', '2026-13-41T00:00:00+03:00'],
    ['2026-02-31T00:00:00+03:00', '2026-02-31T00:00:00+03:00'],
    ['', null],
    [null, null],
  ])('%j is %j', (value, expected) => expect(dateOf(value)).toBe(expected));
});

test('the same moment in two offsets is the same instant; what cannot be read is none', () => {
  expect(instantOf('2026-01-31T22:30:00+03:00')).toBe(instantOf('2026-02-01T02:30:00+07:00'));
  expect(instantOf('chưa rõ')).toBeNull();
  expect(instantOf('2026-99-99T00:00:00+03:00')).toBeNull();
  expect(instantOf('2026-02-31T00:00:00+03:00')).toBeNull();
  expect(instantOf('2026-01-31T22:30:00')).toBe(Date.parse('2026-01-31T22:30:00Z'));
});

test.each([
  ['0E-7', '0'],
  ['580.0000000', '580'],
  ['12.3456789', '12.3457'],
  ['1.0000000', '1'],
  ['100', '100'],
  ['-0.00001', '0'],
  ['n/a', 'n/a'],
  ['', null],
  ['1e400', '1e400'],
])('decimal %j is %j', (value, expected) => expect(decimalOf(value)).toBe(expected));

test('nesting deeper than the stack is survived', () => {
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  for (const read of [scalar, dateOf, decimalOf, instantOf]) expect(read(deep)).toBeNull();
});

const extra = { field: 'UF_CRM_GMV', key: 'gmv', label: 'GMV', group: 'metrics' };

test.each([
  ['a field name in lower case', { company_id: 'uf_crm_company_id' }, ['company_id']],
  ['a filter operator in a name', { company_id: '!UF_CRM_X' }, ['company_id']],
  ['an unknown entry', { companyid: 'UF_CRM_X' }, []],
  ['a segment that is no list item', { segments: { medium: 'Medium' } }, ['segments', 'medium']],
  ['a group that does not exist', { extra: [{ ...extra, group: 'other' }] }, ['extra', 0, 'group']],
  ['the same key twice', { extra: [extra, extra] }, ['extra']],
])('%s is refused, and named', (_, value, path) => {
  expect(FieldMap.safeParse(value).error?.issues[0]?.path).toEqual(path);
});

test('a company’s own addresses are all in its fields, of which each value may hold several', () => {
  const EMAIL = [
    { VALUE: 'Kế toán <kt@shop.vn>, cskh@shop.vn' },
    { VALUE: 'mailto:CSKH@shop.vn' },
    { VALUE: 'chưa có' },
  ];
  const row = {
    ID: '7',
    UF_CRM_COMPANY_ID: '1000069001',
    EMAIL,
    UF_CRM_SHOP_OWNER_EMAIL: ['lan@shop.vn.', 'lan@bücher.vn'],
  };
  const mapping = { fieldMap: FieldMap.parse({}), portal: 'https://crm.example' };
  const [company] = companiesOf([row], OrgId.parse('1000069001'), 'UF_CRM_COMPANY_ID', mapping) ?? [];
  expect(company?.company.emails).toEqual(['kt@shop.vn', 'cskh@shop.vn', 'lan@shop.vn', 'lan@xn--bcher-kva.vn']);
});

test.each<[type: FieldMap['extra'][number]['type'], value: unknown, shown: string | null]>([
  [undefined, '2026-03-10T00:00:00+07:00', '10/03/2026'],
  [undefined, ['2026-03-10', '2026-04-01'], '10/03/2026, 01/04/2026'],
  [undefined, '2026', '2026'],
  [undefined, 'Cà phê &amp; Trà', 'Cà phê & Trà'],
  [undefined, '&lt;b&gt;', '<b>'],
  [undefined, '41500000|VND', '41 500 000 VND'],
  [undefined, '57', '57'],
  ['list', '57', 'Bán lẻ'],
  ['list', ['57', '58'], 'Bán lẻ, Bán sỉ & lẻ'],
  ['list', '99', '99'],
  ['list', 'constructor', 'constructor'],
  ['list', false, null],
  ['employee', '42', 'Trần An'],
  ['employee', ['42', 43], 'Trần An, 43'],
  ['file', { id: 1, showUrl: '/x', downloadUrl: '/y' }, '1'],
  ['file', [{ id: 1 }, { id: 2 }], '2'],
  ['file', '301', '1'],
  ['file', [], null],
])('an extra field %s holds %j and is shown as %j', (type, value, shown) => {
  const extra = [
    { field: 'UF_CRM_X', key: 'x', label: 'X', group: 'context', type, items: { 57: 'Bán lẻ', 58: 'Bán sỉ & lẻ' } },
  ];
  const mapping = {
    fieldMap: FieldMap.parse({ extra }),
    portal: 'https://crm.example',
    employees: new Map([['42', 'Trần An']]),
  };
  const { context } = companyFields({ ID: '7', UF_CRM_X: value }, mapping);
  expect(context?.[0]?.value ?? null).toBe(shown);
  expect(context?.[0]?.type).toBe(type === 'file' && shown !== null ? 'files' : undefined);
});

test.each([
  ['99', '99', null],
  ['Medium', '15092', 'Medium'],
  ['Vừa', 'Vừa', 'Vừa'],
  [null, null, null],
])(
  'a segment that is shown as %j, with the code %j, counts as %j',
  (customer_segment, customer_segment_code, named) => {
    expect(namedSegment({ customer_segment, customer_segment_code })).toBe(named);
  },
);
