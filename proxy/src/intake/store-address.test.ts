import { describe, expect, test } from 'vitest';
import { Rules } from '#rules.ts';
import { readAddress } from './store-address.ts';

const rules = Rules.parse({ platform_hosts: ['myplatform.example', 'shops.myplatform.example'] });
const read = (word: string) => readAddress(word, rules);

test.each<[string, string, string | null, boolean]>([
  ['tiem-hoa-mau.myplatform.example', 'tiem-hoa-mau.myplatform.example', null, false],
  ['https://tiem-hoa-mau.myplatform.example/admin/orders', 'tiem-hoa-mau.myplatform.example', null, true],
  ['Tiem-Hoa-Mau.MyPlatform.Example/admin', 'tiem-hoa-mau.myplatform.example', null, true],
  ['tiem-hoa-mau.myplatform.example/admin.', 'tiem-hoa-mau.myplatform.example', null, true],
  ['tiem-hoa-mau.myplatform.example/admin?x=1', 'tiem-hoa-mau.myplatform.example', null, true],
  ['tiem-hoa-mau.myplatform.example/administrator', 'tiem-hoa-mau.myplatform.example', null, false],
  ['tiem-hoa-mau.myplatform.example/x/admin', 'tiem-hoa-mau.myplatform.example', null, false],
  ['www.tiem-hoa-mau.myplatform.example', 'tiem-hoa-mau.myplatform.example', null, false],
  ['1000069001.myplatform.example', '1000069001.myplatform.example', '1000069001', false],
  ['1000069001.myplatform.example./admin', '1000069001.myplatform.example', '1000069001', true],
  ['http://u:p@200000376001.myplatform.example:8080', '200000376001.myplatform.example', '200000376001', false],
  ['000.myplatform.example', '000.myplatform.example', null, false],
  [`${'1'.repeat(21)}.myplatform.example`, `${'1'.repeat(21)}.myplatform.example`, null, false],
  ['12345.shops.myplatform.example', '12345.shops.myplatform.example', '12345', false],
])('%s is the shop %s, org id %s, admin: %s', (word, host, orgId, isAdmin) => {
  expect(read(word)).toEqual({ kind: 'shop', host, orgId, isAdmin });
});

test.each([
  ['HTTP://WWW.TiemHoaMau.example:8080/path?q=1', 'www.tiemhoamau.example'],
  ['user@tiemhoamau.example', 'tiemhoamau.example'],
  ['https://google.com@tiemhoamau.example/', 'tiemhoamau.example'],
  ['https://tiemhoamau.example\\@google.com', 'tiemhoamau.example'],
  ['https:tiemhoamau.example', 'tiemhoamau.example'],
  ['-tiemhoamau.example', 'tiemhoamau.example'],
  ['https:/tiemhoamau.example', 'tiemhoamau.example'],
  ['https:\\\\tiemhoamau.example', 'tiemhoamau.example'],
  ['//tiemhoamau.example/x', 'tiemhoamau.example'],
  ['Web:tiemhoamau.example', 'tiemhoamau.example'],
  ['Web:https://tiemhoamau.example', 'tiemhoamau.example'],
  ['tiemhoamau.example/?next=https://google.com', 'tiemhoamau.example'],
  ['..tiemhoamau.example..', 'tiemhoamau.example'],
  ['tiemhoamau.example!!', 'tiemhoamau.example'],
  ['ＴｉｅｍＨｏａ．ｅｘａｍｐｌｅ', 'tiemhoa.example'],
  ['tiệmhoa.vn', 'xn--timhoa-jk8b.vn'],
  ['tiệmhoa.vn'.normalize('NFD'), 'xn--timhoa-jk8b.vn'],
  ['notmyplatform.example', 'notmyplatform.example'],
  ['myplatform.example.evil.example', 'myplatform.example.evil.example'],
  ['notgoogle.com', 'notgoogle.com'],
])('%s is the site %s', (word, host) => {
  expect(read(word)).toEqual({ kind: 'site', host });
});

test.each([
  'google.com',
  'https://shopify.com/x',
  'docs.GOOGLE.com.',
  'x@gmail.com',
  '%67oogle.com',
  'ｇｏｏｇｌｅ.com',
])('%s is guarded', (word) => expect(read(word)?.kind).toBe('guarded'));

test.each([
  ...['', '.', '-', '@', '://', 'https://', 'localhost', 'localhost:8787', 'a.localhost', 'shop', 'ftp://shop.example'],
  ...['http://169.254.169.254/', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0300.0250.1.1'],
  ...['127.0.0.1..', '1.0x7f..', '①②⑦.0.0.1', '127。0。0。1', '[::1]', '::1', 'http://[::ffff:7f00:1]/', '10.0.0.1:80'],
  ...['a..example', 'a-.example', 'a_b.example', `${'a'.repeat(64)}.example`, 'a.example1', 'shop.vn:99999'],
  ...['myplatform.example', 'www.myplatform.example', 'a.b.myplatform.example', 'www.shops.myplatform.example'],
])('%j names nothing', (word) => expect(read(word)).toBeNull());

describe('platform hosts and the guard', () => {
  test('a platform host goes before the guard', () => {
    const both = Rules.parse({ platform_hosts: ['myplatform.example'], guarded_domains: ['myplatform.example'] });
    expect(readAddress('tiem.myplatform.example', both)?.kind).toBe('shop');
  });

  test('without platform hosts there are no shops, only sites', () => {
    const none = Rules.parse({});
    expect(readAddress('1000069001.myplatform.example/admin', none)).toEqual({
      kind: 'site',
      host: '1000069001.myplatform.example',
    });
  });
});
