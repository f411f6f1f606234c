import { OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import { anyCharacter } from '@deskside/testing/any-character';
import { anyUrl } from '@deskside/testing/any-url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Rules } from '#rules.ts';
import {
  labelledOrgIds,
  type Mentions,
  orderCandidates,
  orderFindings,
  orgIdInName,
  orgIdOfCustomer,
  readStoreValue,
  resultOf,
  scanText,
  shopDomainOf,
  tidyText,
  unreadOrgId,
  withoutOrgId,
} from './org-id.ts';

const rules = Rules.parse({ platform_hosts: ['myplatform.example'] });

/** What was said, short: claims as `source kind value`, hosts to ask. */
function brief({ claims, hosts }: Mentions) {
  return [...claims.map(({ source, kind, value }) => `${source} ${kind} ${value}`), ...hosts.map(({ host }) => host)];
}

const shop = 'tiem-hoa-mau.myplatform.example';
/** A shop whose name is its org id. */
const numbered = '1000069001.myplatform.example';

describe('a store URL value', () => {
  test.each<[string, string[]]>([
    ['', []],
    [shop, [`platform_domain platform_domain ${shop}`, shop]],
    [`https://${shop}/admin/orders`, [`admin_link platform_domain ${shop}`, shop]],
    ['1000069001', ['bare_org_id org_id 1000069001']],
    [' 12345\n', ['bare_org_id org_id 12345']],
    ['7', ['bare_org_id org_id 7']],
    ['0', []],
    ['1'.repeat(21), []],
    [numbered, ['platform_domain org_id 1000069001', `platform_domain platform_domain ${numbered}`]],
    [`https://${numbered}/admin`, ['admin_link org_id 1000069001', `admin_link platform_domain ${numbered}`]],
    ['https://shopify.com/x', []],
    ['tiemhoamau.example, giay.example', ['tiemhoamau.example', 'giay.example']],
    ['tiemhoamau.example\ngoogle.com;tiemhoamau.example/x', ['tiemhoamau.example']],
    ['1000069001, 200000376001', ['bare_org_id org_id 1000069001', 'bare_org_id org_id 200000376001']],
    ['số 12, gọi 0900000001', []],
    ['Mã shop: 12345', ['store_url org_id 12345']],
    ['không có', []],
  ])('%j', (value, said) => expect(brief(readStoreValue(value, rules))).toEqual(said));

  test('guarded hosts are told apart, so that it can be said why nothing came of them', () => {
    expect(readStoreValue('https://docs.google.com/x google.com', rules).guarded.map(({ host }) => host)).toEqual([
      'docs.google.com',
      'google.com',
    ]);
  });
});

test('a shop, another site and a guarded host are told apart', () => {
  const said = {
    claims: [{ kind: 'platform_domain', value: shop, source: 'platform_domain', quote: shop }],
    hosts: [
      { host: shop, quote: shop, isShop: true },
      { host: 'hoa.example', quote: 'hoa.example', isShop: false },
    ],
    guarded: [{ host: 'google.com', quote: 'google.com', isShop: false }],
  };
  expect(readStoreValue(`${shop} hoa.example google.com`, rules)).toEqual(said);
});

describe('free text', () => {
  test.each<[string, string[]]>([
    ['Web tiemhoamau.vn bị lỗi', ['tiemhoamau.vn']],
    ['Xem https://hoa.example/a?b=c#d, cảm ơn', ['hoa.example']],
    ['web của em là (Shop.TiemHoa.com.vn).', ['shop.tiemhoa.com.vn']],
    ['hoa.example và hoa.community không giống tên miền', []],
    ['viết cho vy@tiemhoamau.vn, mailto:vy@hoa.vn, "Vy"@la.vn', []],
    ['https://vy@hoa.vn/', ['hoa.vn']],
    ['facebook.com/tiemhoa, https://zalo.me/0900000001', []],
    [`vào ${shop}/admin/orders giúp em`, [`text platform_domain ${shop}`, shop]],
    [`https://${numbered}/admin`, ['text org_id 1000069001', `text platform_domain ${numbered}`]],
    ['đơn 1000069001, gọi 0900000001, 5.000.000 đ, 12.12.2026', []],
    ['Mã cửa hàng: 1000069001', ['text org_id 1000069001']],
    ['', []],
  ])('%j', (text, said) => {
    expect(brief(scanText(text, rules))).toEqual(said);
    expect(brief(scanText(text.normalize('NFD'), rules))).toEqual(said);
  });

  test('only the first 65,536 characters, and 20 findings, count', () => {
    expect(brief(scanText(`${' '.repeat(65_536)}shop id: 12345 a.vn`, rules))).toEqual([]);
    const many = Array.from({ length: 100 }, (_, n) => `shop id: ${20_000 + n} shop${n}.vn`).join(' ');
    const { claims, hosts } = scanText(many, rules);
    expect([claims.length, hosts.length, claims[0]?.value, hosts[19]?.host]).toEqual([20, 20, '20000', 'shop19.vn']);
  });

  test('of shops, and of guarded hosts, 20 count as well, and no word after the 500th', () => {
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const { claims, guarded } = scanText(numbers.map((n) => `s${n}-${shop} https://g${n}.google.com`).join(' '), rules);
    expect([claims.length, guarded.length]).toEqual([20, 20]);
    const first = Array.from({ length: 500 }, (_, n) => `https://${n}`).join(' ');
    expect(brief(scanText(`${first} ${shop}`, rules))).toEqual([]);
    expect(brief(readStoreValue(`${first} ${shop}`, rules))).toEqual([]);
  });

  test('a shop may be below any of several platform hosts', () => {
    const two = Rules.parse({ platform_hosts: ['myplatform.example', 'myother.example'] });
    expect(brief(scanText('a.myplatform.example b.myother.example', two))).toContain(
      'text platform_domain b.myother.example',
    );
  });

  test('evidence is one line of at most 200 characters', () => {
    const { hosts } = scanText(`https://hoa.vn/${'😀'.repeat(300)}`, rules);
    expect(hosts[0]?.quote).toHaveLength(200);
    expect(hosts[0]?.quote.isWellFormed()).toBe(true);
    expect(scanText('shop id:\n12345', rules).claims[0]?.quote).toBe('shop id: 12345');
  });

  test('endless repetitions are read through', () => {
    const repeated = '.|@|shop id |https:|a:|mã cửa hàng |x!|a.vn|\u0301\u0316|\u200b|-|1'.split('|');
    for (const part of repeated) {
      for (const text of [part.repeat(70_000), `a${part.repeat(70_000)}!`, `shop id${part.repeat(70_000)}`]) {
        expect(scanText(text, rules).claims).toEqual([]);
        expect(readStoreValue(text, rules).claims).toEqual([]);
      }
    }
  });
});

test('whatever is read: no error, valid org ids and hosts, quotations from the text, and no guarded domain', () => {
  const part = fc.oneof(
    fc.constantFrom(shop, ...'google.com|mail.google.com|1000069001|Mã shop: |https://| |\n|.|@|/'.split('|')),
    fc.string({ unit: anyCharacter, maxLength: 10 }),
    anyUrl,
    fc.emailAddress(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      for (const { claims, hosts } of [readStoreValue(text, rules), scanText(text, rules)]) {
        for (const { kind, value, quote } of claims) {
          if (kind === 'org_id') expect(OrgId.safeParse(value).success).toBe(true);
          else expect(value).toMatch(/^[a-z0-9-]+\.myplatform\.example$/);
          expect(quote.length).toBeLessThanOrEqual(200);
        }
        for (const { host } of hosts) {
          expect(new URL(`https://${host}`).hostname).toBe(host);
          expect(host).toMatch(/^[a-z0-9.-]{4,253}$/);
          expect(rules.guarded_domains.some((domain) => `.${host}`.endsWith(`.${domain}`))).toBe(false);
        }
      }
    }),
  );
});

test('findings are believed in their order, each once, and the first org id is the ticket’s', () => {
  const finding = (kind: Finding['kind'], source: Finding['source'], value: string): Finding => ({
    kind,
    source,
    value,
    field: 'custom_store_url',
    quote: value,
    address: null,
  });
  const sources = ['text', 'meta_json', 'admin_link', 'bare_org_id', 'platform_domain', 'store_url'] as const;
  const all = sources.map((source, n) => finding('org_id', source, String(n + 1)));
  expect(orderFindings(all).map(({ source }) => source)).toEqual(sources.toReversed());

  const again = finding('org_id', 'text', '5');
  const domains = [
    finding('platform_domain', 'text', 'b.myplatform.example'),
    finding('platform_domain', 'meta_json', shop),
  ];
  const ordered = orderFindings([again, ...domains, ...all.slice(0, 5)]);
  expect(ordered.filter(({ value }) => value === '5')).toMatchObject([{ source: 'platform_domain' }]);
  expect(resultOf(ordered)).toEqual({ orgId: '5', platformDomain: shop });
  expect(resultOf([])).toEqual({ orgId: null, platformDomain: null });
});

test.each<[string, { org_id?: object | null; findings?: [kind: Finding['kind'], value: string, address?: string][] }]>([
  ['no decision', { org_id: null }],
  ['another org id decided', { org_id: { value: '2', source: 'ticket' } }],
  [
    'the text names another org id',
    {
      findings: [
        ['org_id', '2'],
        ['platform_domain', shop],
      ],
    },
  ],
  ['only the ticket’s customer has the org id', { org_id: { value: '1', source: 'customer' } }],
  ['no domain was found', { findings: [['org_id', '1']] }],
])('no shop’s domain is a customer’s where %s', (_, { org_id = { value: '1', source: 'ticket' }, findings }) => {
  const found = (findings ?? [['platform_domain', shop]]).map(([kind, value]) => ({ kind, value, address: null }));
  const told = { org_id, findings: found } as unknown as Parameters<typeof shopDomainOf>[0];
  expect(shopDomainOf(told, '1' as OrgId, true)).toBeNull();
});

test.each<[string, { isVouchedFor?: boolean; findings?: object[]; source?: string }, string | null]>([
  ['the sender is vouched for', { isVouchedFor: true }, shop],
  [
    'the text names the org id, too',
    { isVouchedFor: true, findings: [{ kind: 'org_id', value: '1' }], source: 'text' },
    shop,
  ],
  [
    'the platform’s own meta.json there tells the org id',
    { findings: [{ kind: 'org_id', value: '1', address: `https://${shop}/meta.json` }] },
    shop,
  ],
  ['nobody vouches', {}, null],
  [
    'the meta.json there tells no org id',
    { findings: [{ kind: 'platform_domain', value: shop, address: `https://${shop}/meta.json` }] },
    null,
  ],
  [
    'another host’s meta.json tells the org id',
    { findings: [{ kind: 'org_id', value: '1', address: 'https://x.example/meta.json' }] },
    null,
  ],
])(
  'a shop’s domain is its customer’s where %s: %j',
  (_, { isVouchedFor = false, findings = [], source = 'ticket' }, domain) => {
    const found = [{ kind: 'platform_domain', value: shop, address: null }, ...findings];
    const told = { org_id: { value: '1', source }, findings: found } as unknown as Parameters<typeof shopDomainOf>[0];
    expect(shopDomainOf(told, '1' as OrgId, isVouchedFor)).toBe(domain);
  },
);

test('without a decision no customer has a domain', () => {
  expect(shopDomainOf(undefined, '1' as OrgId, true)).toBeNull();
});

const idsIn = (text: string) => labelledOrgIds(tidyText(text), 20).map(({ orgId }) => orgId as string);

test.each(
  [
    'org id: 1000069001 | OrgID=1000069001 | ORG_ID 1000069001 | org-id #1000069001 | my org id is 1000069001',
    'Organization ID: 1000069001 | organisation id 1000069001 | Company ID:1000069001 | (shop id: 1000069001)',
    'Store ID\u00a01000069001. | Mã shop: 1000069001 | ma shop 1000069001 | Mã shop là 1000069001',
    'MÃ SHOP:1000069001 | Mã cửa hàng = 1000069001 | ma cua hang 1000069001 | mã công ty #1000069001',
    'Mã tổ chức: 1000069001 | ID shop 1000069001 | ID cửa hàng: 1000069001 | - shop id: 1000069001',
    'shop id:\n1000069001, cảm ơn | shop id:\u200b 1000069001 | Shop mã  shop  1000069001',
    'mã cửa hàng 1000069001'.normalize('NFD'),
    'Mã shop của em là 1000069001 | mã shop em là 1000069001 ạ | Mã shop - 1000069001 | Mã shop – 1000069001',
    'Mã shop (1000069001) | mã shop "1000069001" | Mã shop “1000069001” | mã shop [1000069001] | Mã shop: (1000069001)',
    '1000069001 là mã shop của em | 1000069001 is my shop id | (1000069001) là ID cửa hàng | “1000069001” là mã cửa hàng',
    'mã cửa hàng bên em: 1000069001 | mã shop của chúng tôi là 1000069001 | Mã shop mình là: 1000069001 | mã shop e 1000069001',
    'ma shop cua em la 1000069001 | MÃ SHOP CỦA EM LÀ 1000069001 | mã cửa hàng của shop = 1000069001',
  ].flatMap((line) => line.split(' | ')),
)('%j says 1000069001', (text) => expect(idsIn(text)).toEqual(['1000069001']));

test.each(
  [
    '1000069001 | 0900000001 | gọi 0900000001 | đơn hàng 1000069001 | mã đơn hàng: 1000069001 | hotline:19000001',
    'shop id: 1234',
    `shop id: ${'1'.repeat(21)}`,
    'shop id: 000000 | shop id: 12345.6 | shop id: 12345-678 | shop id: 12345abc | shop id1000069001',
    'Mã shop em gọi 1000069001 | mã shop của em, gọi 0900000001 | 0900000001 là số của em | 1000069001 là mà shop',
    '1000069001 là mã đơn | x1000069001 là mã shop | mã shopee (1000069001) | mã shop em: liên hệ 0900000001',
    'workshop id: 1000069001 | mã shopee: 1000069001 | mà shop 1000069001',
    'https://shopee.vn/x?shop_id=1000069001 | shopee.vn/x?shop_id=1000069001 | https://x.vn/a,shop id:1',
    'http://x.example/a/(shopid=1000069001) | https://x.example/a/(shopid=1000069001) | a&shopid=1000069001 | eshop-id 1000069001 | x-shop-id 1000069001',
  ].flatMap((line) => line.split(' | ')),
)('%j says nothing', (text) => expect(idsIn(text)).toEqual([]));

test('the quotation is the passage as it was written', () => {
  const text = tidyText('😀 Chào shop, Mã Cửa Hàng: 1000069001 và OrgID 200000376001 nhé');
  expect(labelledOrgIds(text, 20)).toEqual([
    { orgId: '1000069001', quote: 'Mã Cửa Hàng: 1000069001' },
    { orgId: '200000376001', quote: 'OrgID 200000376001' },
  ]);
  expect(labelledOrgIds(text, 1)).toHaveLength(1);
  const behindLetters = tidyText('Địa chỉ: đường Đê, mã shop: 1000069001');
  expect(labelledOrgIds(behindLetters, 1)).toEqual([{ orgId: '1000069001', quote: 'mã shop: 1000069001' }]);
});

test('several org ids come in the order of the text, whichever side their labels are on', () => {
  expect(idsIn('1000069001 là mã shop cũ, OrgID 200000376001, 470000002 là mã shop mới')).toEqual([
    '1000069001',
    '200000376001',
    '470000002',
  ]);
});

test('a letter keeps four of its marks', () => {
  expect(tidyText(`x${'\u0316'.repeat(9)}y`)).toBe(`x${'\u0316'.repeat(4)}y`);
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

test('candidates come in the order of decision 5, first occurrence kept', () => {
  const { candidates } = orderCandidates(
    [
      { field: 'custom_platform_profile_orgid', value: '200000317825' },
      { field: 'custom_orgid', value: 1900000001 },
      { field: 'custom_org_id', value: '200000317825' },
    ],
    { name: 'Tiệm Hoa Mẫu - 1000069001', custom_platform_orgid: '1900000001' },
  );
  expect(candidates).toEqual([
    { orgId: '200000317825', source: 'ticket', field: 'custom_platform_profile_orgid' },
    { orgId: '1900000001', source: 'ticket', field: 'custom_orgid' },
    { orgId: '1000069001', source: 'customer_name', field: 'name' },
  ]);
});

test('a customer’s org id is that of its field, else that of its name', () => {
  const of = (custom_platform_orgid: string | null, name: string) => {
    const customer = { name, custom_platform_orgid };
    return [orgIdOfCustomer(customer), orderCandidates([], customer).candidates[0] ?? null];
  };
  expect(of('5', 'Tiệm Hoa Mẫu - 77')).toEqual([
    '5',
    { orgId: '5', source: 'customer', field: 'custom_platform_orgid' },
  ]);
  expect(of(null, 'Tiệm Hoa Mẫu - 77')).toEqual(['77', { orgId: '77', source: 'customer_name', field: 'name' }]);
  expect(of(null, 'Tiệm Hoa Mẫu')).toEqual([null, null]);
  expect(orgIdOfCustomer(null)).toBeNull();
});

test('a value that is no org id is reported by its field, an empty one is not', () => {
  const empty = ['', '  ', 0, null, undefined].map((value, at) => ({ field: String(at), value }));
  const customer = { name: 'Tiệm Hoa Mẫu', custom_platform_orgid: null };
  expect(orderCandidates(empty, customer)).toEqual({ candidates: [], unusable: [] });
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
  ...'360 Store|1000069001|Shop-1000069001|Shop 1000069001| - 1000069001|Shop - 1000069001a'.split('|'),
  ...'- 5 -|Phố 77 - Tiệm Hoa'.split('|'),
  '',
])('%j names no org id', (name) => expect(orgIdInName(name)).toBeNull());

test.each([
  ['Tiệm Hoa Mẫu - 1000069001', 'Tiệm Hoa Mẫu'],
  ['1000069001 – Tiệm Hoa Mẫu', 'Tiệm Hoa Mẫu'],
  ['Tiệm - 77 - Hoa', 'Tiệm - 77 - Hoa'],
  ['Tiệm Hoa - 77 Hàng Bài', 'Tiệm Hoa - 77 Hàng Bài'],
  ['Phố 77 - Tiệm Hoa', 'Phố 77 - Tiệm Hoa'],
  ['Tiệm Hoa Mẫu - 0', 'Tiệm Hoa Mẫu - 0'],
])('%j without its org id is %j', (name, left) => expect(withoutOrgId(name)).toBe(left));

test('whatever stands in the fields, every candidate is an org id and stands once', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ field: fc.string(), value: fc.anything() })), fc.string(), (fields, name) => {
      const ids = orderCandidates(fields, { name, custom_platform_orgid: null }).candidates.map((c) => c.orgId);
      return ids.every((id) => /^\d{1,20}$/.test(id)) && new Set(ids).size === ids.length;
    }),
  );
});

test.each<[value: unknown, shown: string | null, why: string]>([
  ['2.00000E+11', '2.00000E+11', 'a spreadsheet has cut it short'],
  ['2,00E+11', '2,00E+11', 'a spreadsheet has cut it short'],
  [2.5, '2.5', 'it is no number of 1 to 20 digits'],
  [1e21, '1e+21', 'a spreadsheet has cut it short'],
  ['1000069001, 200000376001', '1000069001, 200000376001', 'it is more than one number'],
  ['1000069001/200000376001', '1000069001/200000376001', 'it is more than one number'],
  ['1000069001\n200000376001', '1000069001 200000376001', 'it is more than one number'],
  ['1000069001<br>200000376001', '1000069001 200000376001', 'it is more than one number'],
  ['chưa biết', 'chưa biết', 'it is no number'],
  ['chưa \t biết', 'chưa biết', 'it is no number'],
  ['<b onclick="x">chưa "rõ"</b>', "chưa 'rõ'", 'it is no number'],
  ['ch\u200bưa\u202e có', 'chưa có', 'it is no number'],
  ['#N/A', '#N/A', 'it is no number'],
  ['000', '000', 'it is zero'],
  ['1'.repeat(21), '1'.repeat(21), 'it has more than 20 digits'],
  ['x'.repeat(60), `${'x'.repeat(40)}…`, 'it is no number'],
  ['😀'.repeat(60), `${'😀'.repeat(40)}…`, 'it is no number'],
  ['gomlangmo.vn', 'gomlangmo.vn', 'it is no number'],
  ['1000069001a', '1000069001a', 'it is no number of 1 to 20 digits'],
  ['1000069001 mới', '1000069001 mới', 'it is no number of 1 to 20 digits'],
  ['20E11', '20E11', 'a spreadsheet has cut it short'],
  ['mã 2E+11', 'mã 2E+11', 'it is no number of 1 to 20 digits'],
  ['2E+11 mã', '2E+11 mã', 'it is no number of 1 to 20 digits'],
  ['+2E+11', '+2E+11', 'a spreadsheet has cut it short'],
  [`${'1'.repeat(20)}0`, `${'1'.repeat(20)}0`, 'it has more than 20 digits'],
  [`0${'1'.repeat(20)}`, `0${'1'.repeat(20)}`, 'it has more than 20 digits'],
  [`${'x'.repeat(39)} yz`, `${'x'.repeat(39)}…`, 'it is no number'],
])('%j stands for no org id, is shown as %j, and why', (value, shown, why) => {
  expect(unreadOrgId(value)).toEqual({ value: shown, why });
});

test.each(['1000069001', ' 1000069001.0 ', 7, 0, '', '  ', '\u200b', '<br>', null, undefined, true])(
  'of %j nothing is said',
  (value) => {
    expect(unreadOrgId(value)).toBeNull();
  },
);

test('whatever stands there: at most 40 signs and one more are shown, without markup, quotation or what nobody sees', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (value) => {
      const unread = unreadOrgId(value);
      if (unread === null) return;
      expect([...unread.value].length).toBeLessThanOrEqual(41);
      expect(unread.value).not.toMatch(/[<>"\p{Cc}\p{Cf}]/u);
      expect(parseOrgId(value)).toBeNull();
    }),
  );
});
