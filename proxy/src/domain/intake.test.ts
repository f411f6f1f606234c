import { OrgId } from '@deskside/shared/orgid';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IntakeRules } from '../intake-rules.ts';
import { orderFindings, readStoreValue, resultOf, scanText } from './intake.ts';
import { readAddress } from './store-address.ts';

const rules = IntakeRules.parse({ platform_hosts: ['myplatform.example'] });
const none = IntakeRules.parse({});
const said = (text: string, given = rules) => {
  const { claims, hosts, guarded } = readStoreValue(text, given);
  return {
    claims: claims.map(({ kind, value, source }) => `${kind} ${value} (${source})`),
    hosts: hosts.map(({ host, isShop }) => (isShop ? `shop ${host}` : host)),
    guarded: guarded.map(({ host }) => host),
  };
};
const nothing = { claims: [], hosts: [], guarded: [] };

describe('a store URL, as people type it (facts/domain.md sections 3 and 11)', () => {
  test.each<[string, Partial<ReturnType<typeof said>>]>([
    [
      'tiem-hoa-mau.myplatform.example',
      {
        claims: ['platform_domain tiem-hoa-mau.myplatform.example (platform_domain)'],
        hosts: ['shop tiem-hoa-mau.myplatform.example'],
      },
    ],
    [
      'https://tiem-hoa-mau.myplatform.example/admin/orders',
      {
        claims: ['platform_domain tiem-hoa-mau.myplatform.example (admin_link)'],
        hosts: ['shop tiem-hoa-mau.myplatform.example'],
      },
    ],
    [
      '1000069001.myplatform.example',
      {
        claims: [
          'org_id 1000069001 (platform_domain)',
          'platform_domain 1000069001.myplatform.example (platform_domain)',
        ],
      },
    ],
    [
      'https://1000069001.myplatform.example/admin',
      { claims: ['org_id 1000069001 (admin_link)', 'platform_domain 1000069001.myplatform.example (admin_link)'] },
    ],
    ['1000069001', { claims: ['org_id 1000069001 (bare_org_id)'] }],
    ['  200000376001  ', { claims: ['org_id 200000376001 (bare_org_id)'] }],
    ['HTTP://WWW.TiemHoaMau.example:8080/path?q=1', { hosts: ['www.tiemhoamau.example'] }],
    ['user@tiemhoamau.example', { hosts: ['tiemhoamau.example'] }],
    ['https://user:pass@tiemhoamau.example/x', { hosts: ['tiemhoamau.example'] }],
    ['tiemhoamau.example.', { hosts: ['tiemhoamau.example'] }],
    ['Web: tiemhoamau.example', { hosts: ['tiemhoamau.example'] }],
    ['bücher.example', { hosts: ['xn--bcher-kva.example'] }],
    ['google.com', { guarded: ['google.com'] }],
    ['https://www.google.com/search?q=1000069001', { guarded: ['www.google.com'] }],
    ['https://shopify.com/x', { guarded: ['shopify.com'] }],
    ['notgoogle.com', { hosts: ['notgoogle.com'] }],
    ['http://169.254.169.254/', {}],
    ['127.0.0.1', {}],
    ['0x7f.1', {}],
    ['http://[::1]/', {}],
    ['localhost', {}],
    ['http://localhost:3000/admin', {}],
    ['shop', {}],
    ['', {}],
    ['   ', {}],
    ['https://', {}],
    ['javascript:alert(1)', {}],
    ['myplatform.example', {}],
    ['a.b.myplatform.example', {}],
    ['evilmyplatform.example', { hosts: ['evilmyplatform.example'] }],
    ['tiemhoamau.example, https://gomlangmo.example', { hosts: ['tiemhoamau.example', 'gomlangmo.example'] }],
    ['tiemhoamau.example tiemhoamau.example/x', { hosts: ['tiemhoamau.example'] }],
    ['000000', {}],
    ['123456789012345678901', {}],
    ['shop của tôi 0938411165', {}],
  ])('%j', (text, expected) => {
    expect(said(text)).toEqual({ ...nothing, ...expected });
  });

  test('without platform hosts a shop is a site like any other, and an org id in its name is none', () => {
    expect(said('1000069001.myplatform.example', none)).toEqual({
      ...nothing,
      hosts: ['1000069001.myplatform.example'],
    });
  });

  test('a platform host goes before the guard', () => {
    const both = IntakeRules.parse({ platform_hosts: ['shop.google.com'], guarded_domains: ['google.com'] });
    expect(said('a.shop.google.com', both).hosts).toEqual(['shop a.shop.google.com']);
    expect(said('mail.google.com', both).guarded).toEqual(['mail.google.com']);
  });
});

describe('free text', () => {
  const ids = (text: string) =>
    scanText(text, rules)
      .claims.filter(({ kind }) => kind === 'org_id')
      .map(({ value }) => value);
  test.each<[string, string[]]>([
    ['Org ID: 1000069001', ['1000069001']],
    ['orgid=1000069001', ['1000069001']],
    ['OrgId #1000069001.', ['1000069001']],
    ['organization id 1000069001 nhé', ['1000069001']],
    ['Company ID là: 1000069001', ['1000069001']],
    ['Mã shop: 1000069001', ['1000069001']],
    ['mã cửa hàng 1000069001', ['1000069001']],
    ['ma cua hang 1000069001', ['1000069001']],
    ['MÃ CÔNG TY: 1000069001'.normalize('NFD'), ['1000069001']],
    ['mã tổ chức 1000069001', ['1000069001']],
    ['ID shop 1000069001', ['1000069001']],
    ['Org ID: 1000069001, hay Org ID: 200000376001?', ['1000069001', '200000376001']],
    ['1000069001', []],
    ['Gọi em 0938411165, đơn 1000069001', []],
    ['Org ID: 1234', []],
    ['Org ID: 1000069001-2', []],
    ['https://x.example/?shop_id=1000069001', []],
    ['storeid1000069001x', []],
    ['https://1000069001.myplatform.example/admin', ['1000069001']],
  ])('%j names %j', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['Shop mình là tiemhoamau.vn nhé', ['tiemhoamau.vn']],
    ['xem https://tiemhoamau.example/gio-hang', ['tiemhoamau.example']],
    ['gomlangmo.myplatform.example lỗi', ['gomlangmo.myplatform.example']],
    ['thư tới an@tiemhoamau.vn', []],
    ['file bao-cao.xlsx, bản 1.2.3, v.v.', []],
    ['tiemhoamau.store, gomlangmo.shop và caphe.asia', ['tiemhoamau.store', 'gomlangmo.shop', 'caphe.asia']],
    ['https://www.facebook.com/tiemhoamau', []],
  ])('%j names the hosts %j', (text, hosts) => {
    expect(scanText(text, rules).hosts.map(({ host }) => host)).toEqual(hosts);
  });

  test('quotes are kept as evidence, one line of at most 200 characters', () => {
    const [claim] = scanText(`x\nMã  shop:  1000069001\n${'y'.repeat(500)}`, rules).claims;
    expect(claim?.quote).toBe('Mã shop: 1000069001');
    const long = readStoreValue(`https://tiemhoamau.example/${'x'.repeat(1_000)}`, rules).hosts[0];
    expect(long?.quote.length).toBeLessThanOrEqual(200);
  });
});

test('findings are believed in the order of the specification, each once', () => {
  const finding = (source: 'text' | 'meta_json' | 'admin_link' | 'bare_org_id' | 'platform_domain', value: string) => ({
    ...{ kind: 'org_id' as const, value, source, field: 'f', quote: 'q', address: null },
  });
  const given = [
    finding('text', '5'),
    finding('meta_json', '4'),
    finding('admin_link', '3'),
    finding('bare_org_id', '2'),
    finding('platform_domain', '1'),
    finding('text', '1'),
  ];
  const ordered = orderFindings(given);
  expect(ordered.map(({ value }) => value)).toEqual(['1', '2', '3', '4', '5']);
  expect(resultOf(ordered)).toEqual({ orgId: '1', platformDomain: null });
});

describe('whatever anybody writes', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'https://',
      'Org ID: ',
      '1000069001',
      '.vn',
      '@',
      '//',
      '.',
      'google.com',
      'xn--',
      'mã shop ',
      '\\',
    ),
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

  test('what is found is an org id or a public host, never a guarded one', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const { claims, hosts } of [readStoreValue(given, rules), scanText(given, rules)]) {
          for (const { kind, value, quote } of claims) {
            if (kind === 'org_id') OrgId.parse(value);
            else expect(value).toMatch(/\.myplatform\.example$/);
            expect(quote.length).toBeLessThanOrEqual(200);
          }
          for (const { host } of hosts) {
            expect(host).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]*[a-z][a-z0-9-]*$/);
            expect(readAddress(host, rules)?.kind).not.toBe('guarded');
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['Org ID: ', 'Org ID: '],
    ['dots', '.'],
    ['schemes', 'https://'],
    ['at signs', 'a@'],
    ['marks', 'a\u0301\u0302'],
    ['labels of hosts', 'a.'],
    ['blanks', ' \t'],
    ['slashes', '/\\'],
  ])('a text of nothing but %s comes to an end', (_, unit) => {
    const long = unit.repeat(Math.ceil((1024 * 1024) / unit.length));
    expect(scanText(long, rules).claims).toEqual([]);
    expect(readStoreValue(long, rules).claims).toEqual([]);
  });

  test('at most twenty findings are kept', () => {
    const many = Array.from({ length: 100 }, (_, n) => `Org ID: ${1_000_069_001 + n}`).join('\n');
    expect(scanText(many, rules).claims).toHaveLength(20);
  });
});
