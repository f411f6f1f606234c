import { anyCharacter } from '@deskside/testing/any-character';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { htmlToText } from './html-to-text.ts';

describe('the text of HTML', () => {
  it.each([
    ['<p>Shop <b>https://a.example</b> không vào được</p>', 'Shop https://a.example không vào được'],
    ['<div>một</div><div>hai<br>ba<br/>bốn</div>', 'một\nhai\nba\nbốn'],
    ['<ul><li>một</li>\n  <li>hai</li></ul>', 'một\nhai'],
    ['<table><tr><td>Org ID</td><td>200000376001</td></tr></table>', 'Org ID 200000376001'],
    ['dòng một\r\ndòng  hai\n\n\ndòng ba', 'dòng một\ndòng hai\ndòng ba'],
    ['', ''],
    [' \n<p>&nbsp;</p>\n ', ''],
  ])('%j is %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it.each([
    ['<a href="https://a.example/x?y=1&amp;z=2">cửa hàng</a>!', 'cửa hàng https://a.example/x?y=1&z=2 !'],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ["<A class=b HREF='//a.example'\n>đây</A>", 'đây //a.example'],
    ['<a href=https://a.example>đây</a>', 'đây https://a.example'],
    ['<a href="https://a.example"><img src="x"></a>', 'https://a.example'],
    ['<a href="https://a.example">một<a href="https://b.example">hai', 'một https://a.example hai https://b.example'],
    ['<a href="mailto:vy@shop.example">thư</a> <a href=" JavaScript:alert(1)">bấm</a>', 'thư bấm'],
    ['<a name="x">không có</a>', 'không có'],
  ])('has the addresses of links: %j is %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it.each([
    ['a<script>var x = "<b>200000376001</b>";</script>b<STYLE>p{}</STYLE >c', 'abc'],
    ['a<!-- <b>200000376001</b> -->b', 'ab'],
    ['<!DOCTYPE html><?xml version="1.0"?>a', 'a'],
    ['a<script>1', 'a'],
    ['a<!-- 1', 'a'],
    ['a<img alt="1 > 2" title=\'<b>\'>b', 'ab'],
    ['a<p it\'s title="x">b</p>', 'a\nb'],
  ])('has nothing that is not shown: %j is %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it.each([
    ['5 < 6 > 4 & <3', '5 < 6 > 4 & <3'],
    ['lỗi <abc không vào được 200000376001', 'lỗi <abc không vào được 200000376001'],
    ['<a href="https://a.example', '<a href="https://a.example'],
    ['<', '<'],
    ['</', '</'],
    ['</>', '</>'],
    ['a</>b', 'a</>b'],
    ['giá </ không vào được 200000376001', 'giá </ không vào được 200000376001'],
    ['giá </3> 200000376001 <b>đậm</b>', 'giá </3> 200000376001 đậm'],
  ])('is whatever only begins like markup: %j is %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it.each([
    ['&lt;b&gt; &amp;lt; &quot;&apos;&#39;&#x27;', "<b> &lt; \"'''"],
    ['C&ocirc;ng ty &#272;&aacute; Qu&Yacute; &#x111;&#x1ED9;c', 'Công ty Đá QuÝ độc'],
    ['&Dstrok;&#7889;i &euro;5 &rarr; x&sup2; &ldquo;&abreve;&rdquo; &frac12; &trade;', 'Đối €5 → x² “ă” ½ ™'],
    ['shop?a=1&copy=2&notify=3&shop_id=4', 'shop?a=1&copy=2&notify=3&shop_id=4'],
    ['<a href="https://a.example/?a=1&copy=2&amp;reg=3">đây</a>', 'đây https://a.example/?a=1&copy=2&reg=3'],
    ['&unknown; &amp &#0; &#xD800; &#x110000; &#9999999;', '&unknown; &amp \ufffd \ufffd \ufffd \ufffd'],
    ['a\u0000b\u0007c&#8;d', 'a b c d'],
    ['a\ud83d', 'a\ufffd'],
  ])('has entities decoded and no control signs: %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it('is that of the first 65,536 signs', () => {
    expect(htmlToText(`${'a'.repeat(65_536)}bbb`)).toHaveLength(65_536);
    expect(htmlToText('🛒'.repeat(40_000))).toBe('🛒'.repeat(32_768));
  });
});

// Each would take minutes if the time grew with the square of the length.
const pieces = [
  `<|<a |<a href="|<a x='|<!|<!--|<script>|</script|<style><|&|&#|&amp| \n|\n |<p>|<a href=x>|<a =`,
  '<div><table><tr><td>|</x>|</|<textarea>|<plaintext>|<![CDATA[|&#x',
];
test.each(pieces.flatMap((line) => line.split('|')))('%j over and over is read to the end', (piece) => {
  for (const html of [piece.repeat(70_000), `${piece.repeat(30_000)}>`, `<p>${piece.repeat(30_000)}</p>`]) {
    expect(htmlToText(html).length).toBeLessThanOrEqual(3 * 65_536);
  }
});

const tidy = (text: string) =>
  text
    .replace(/\p{Cc}/gu, (sign) => (sign === '\n' ? sign : ' '))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();

test('text that was put into HTML comes out as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(htmlToText(html)).toBe(tidy(text));
      expect(htmlToText(`<p class="x">${html}<!-- <b> --></p>`)).toBe(tidy(text));
    }),
  );
});

test('whatever comes in, well-formed text without control signs comes out', () => {
  const pieces = '< > </ <!-- --> <a href= " \' = / & &# ; script style'.split(' ').concat(' ');
  const html = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 5 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(html, (parts) => {
      const text = htmlToText(parts.join(''));
      expect(text.isWellFormed()).toBe(true);
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      expect(text).toBe(text.trim());
    }),
    { numRuns: 1_000 },
  );
});
