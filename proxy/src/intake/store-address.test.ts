import * as fc from 'fast-check';
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
  ['tiem-hoa-mau.myplatform.example//admin', 'tiem-hoa-mau.myplatform.example', null, true],
  ['tiem-hoa-mau.myplatform.example/admin?x=1', 'tiem-hoa-mau.myplatform.example', null, true],
  ['tiem-hoa-mau.myplatform.example/administrator', 'tiem-hoa-mau.myplatform.example', null, false],
  ['tiem-hoa-mau.myplatform.example/x/admin', 'tiem-hoa-mau.myplatform.example', null, false],
  ['www.tiem-hoa-mau.myplatform.example', 'tiem-hoa-mau.myplatform.example', null, false],
  ['tiemwww.myplatform.example', 'tiemwww.myplatform.example', null, false],
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
  ['%2Etiemhoamau.example%2E/x', 'tiemhoamau.example'],
  ['tiemhoa.xn--p1ai', 'tiemhoa.xn--p1ai'],
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
  'google.com%2E',
  'x@gmail.com',
  '%67oogle.com',
  'ｇｏｏｇｌｅ.com',
])('%s is guarded', (word) => expect(read(word)?.kind).toBe('guarded'));

test.each([
  ...['', '.', '-', '@', '://', 'https://', 'localhost', 'localhost:8787', 'a.localhost', 'shop', 'ftp://shop.example'],
  ...['http://169.254.169.254/', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0300.0250.1.1'],
  ...['127.0.0.1..', '1.0x7f..', '①②⑦.0.0.1', '127。0。0。1', '[::1]', '::1', 'http://[::ffff:7f00:1]/', '10.0.0.1:80'],
  ...['a..example', 'a-.example', 'a_b.example', `${'a'.repeat(64)}.example`, 'a.example1', 'shop.vn:99999'],
  ...['shop.vn:com', `${'a.'.repeat(125)}example`],
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

const shop = 'https://1000069001.myplatform.example/products?x=1&y=2';
const quoted = encodeURIComponent(shop);
const wrappings: ((address: string) => string)[] = [
  (address) => `https://l.facebook.com/l.php?u=${encodeURIComponent(address)}&h=AT0`,
  (address) => `https://www.google.com/url?q=${encodeURIComponent(address)}&sa=D`,
  (address) => `https://apc01.safelinks.protection.outlook.com/?url=${encodeURIComponent(address)}&data=05%7C01`,
  (address) => `https://link.zalo.me/?url=${encodeURIComponent(address)}`,
];

test.each([
  `https://l.facebook.com/l.php?u=${quoted}&h=AT0`,
  `http://lm.facebook.com/l.php?u=${quoted}`,
  `l.facebook.com/l.php?h=AT0&u=${quoted}`,
  `https://www.facebook.com/flx/warn/?u=${quoted}`,
  `https://l.instagram.com/?u=${quoted}&e=AT0`,
  `https://nam02.safelinks.protection.outlook.com/?url=${quoted}&data=05%7C01&reserved=0`,
  `https://NAM02.safelinks.protection.outlook.com/ap/x-59584e83/?url=${quoted}`,
  `https://www.google.com/url?q=${quoted}&sa=D`,
  `https://www.google.com.vn/url?sa=t&url=${quoted}`,
  `https://google.co.th/url?q=${quoted}`,
  `https://www.google.vn/url?q=${quoted}`,
  `https://facebook.com/l.php?u=${encodeURIComponent('http://1000069001.myplatform.example')}`,
  `https://youtube.com/redirect?q=${quoted}`,
  ...['url', 'u', 'link', 'redirect', 'continue'].map((name) => `https://zalo.me/share?${name}=${quoted}`),
  ...['redir', 'url', 'u', 'redirect', 'origin_link'].map((name) => `https://shopee.vn/link?${name}=${quoted}`),
  `https://www.youtube.com/redirect?event=x&q=${quoted}`,
  `https://link.zalo.me/?url=${quoted}`,
  `https://shopee.vn/universal-link?redir=${quoted}`,
  `https://l.facebook.com/l.php?u=${encodeURIComponent('//1000069001.myplatform.example/x')}`,
])('%s is read as the address in it', (link) => expect(read(link)).toMatchObject({ orgId: '1000069001' }));

test.each<[link: string, address: unknown]>([
  [`https://www.google.com/search?q=${quoted}`, { kind: 'guarded', host: 'www.google.com' }],
  [`https://facebook.com/share?u=${quoted}`, { kind: 'guarded', host: 'facebook.com' }],
  ['https://l.facebook.com/l.php?u=', { kind: 'guarded', host: 'l.facebook.com' }],
  ['https://l.facebook.com/l.php?u=http://127.0.0.1/x', { kind: 'guarded', host: 'l.facebook.com' }],
  ['https://l.facebook.com/l.php?u=http://localhost/x', { kind: 'guarded', host: 'l.facebook.com' }],
  [`https://l.facebook.com/l.php?u=xem%20${quoted}`, { kind: 'guarded', host: 'l.facebook.com' }],
  [`https://l.facebook.com/l.php?u=${quoted}%20x`, { kind: 'guarded', host: 'l.facebook.com' }],
  ['https://l.facebook.com/l.php?u=javascript:alert(1)', { kind: 'guarded', host: 'l.facebook.com' }],
  ['https://l.facebook.com/l.php?u=https%3A%2F%2Fgoogle.com', { kind: 'guarded', host: 'google.com' }],
  [`https://evil.example/l.php?u=${quoted}`, { kind: 'site', host: 'evil.example' }],
  [`https://xfacebook.com/l.php?u=${quoted}`, { kind: 'site', host: 'xfacebook.com' }],
  [`https://x.example/?a=https://l.facebook.com/l.php?u=${quoted}`, { kind: 'site', host: 'x.example' }],
  ['https://zalo.me/0900000001', { kind: 'guarded', host: 'zalo.me' }],
])('%s leads nowhere else', (link, address) => expect(read(link)).toEqual(address));

test.each([
  'l.facebook.com.evil.example/l.php?u=',
  'l.instagram.com.evil.example/?u=',
  'xl.instagram.com.evil.example/?u=',
  'nam02.safelinks.protection.outlook.com.evil.example/?url=',
  'www.google.com.evil.example/url?q=',
  'notgoogle.com/url?q=',
  'www.youtube.com.evil.example/redirect?q=',
  'notyoutube.com/redirect?q=',
  'link.zalo.me.evil.example/?url=',
  'notzalo.me/?url=',
  'shopee.vn.evil.example/?redir=',
  'notshopee.vn/?redir=',
])('%s is no link that leads on, whatever it looks like', (link) => {
  expect(read(`https://${link}${quoted}`)).toEqual({ kind: 'site', host: link.split('/')[0] });
});

test.each([
  'https://www.google.com/urls?q=',
  'https://www.google.com/x/url?q=',
  'https://www.youtube.com/redirects?q=',
  'https://www.facebook.com/x/l.php?u=',
])('%s is a page of its own', (link) => expect(read(link + quoted)?.kind).toBe('guarded'));

test('links in one another are read three deep, whichever they are', () => {
  const which = fc.array(fc.constantFrom(...wrappings), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(which, (some) => {
      const link = some.reduce((address, wrap) => wrap(address), shop);
      expect(read(link)?.kind).toBe(some.length <= 3 ? 'shop' : 'guarded');
    }),
  );
});
