import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mailtoUrl, safeHttpUrl, telUrl } from '#ui/safe-url.ts';
import { anyUrl } from '../../../testing/any-url.ts';

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>1</script>',
  'vbscript:x',
  'blob:https://crm.example/1',
  'file:///etc/passwd',
  'ftp://crm.example/',
  'chrome-extension://abc/options.html',
  'https://crm.example@evil.example/',
  'https://user:pass@crm.example/',
  '//crm.example/x',
  '/crm/company/1',
  'crm.example',
  '',
  null,
])('%j never becomes a link', (value) => expect(safeHttpUrl(value)).toBeNull());

test.each(['https://crm.example/crm/company/details/63001/', 'http://127.0.0.1:8080/x?y=1#z'])(
  '%s becomes a link as it is',
  (value) => expect(safeHttpUrl(value)).toBe(value),
);

test('whatever the CRM sends, a link is http or https', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        anyUrl,
        fc.string().map((s) => `javascript:${s}`),
      ),
      (value) => {
        const url = safeHttpUrl(value);
        return url === null || /^https?:\/\/[^@/]+(\/|$)/.test(url);
      },
    ),
  );
});

test.each([
  ['an@crm.example', 'mailto:an@crm.example'],
  [' a.b+c@d-e.f.example ', 'mailto:a.b+c@d-e.f.example'],
  ['an@crm.example?bcc=x@evil.example', null],
  ['an@crm.example,x@evil.example', null],
  ['"><img src=x>@evil.example', null],
  ['an@crm', null],
  ['an@crm.example\r\nBcc: x@evil.example', null],
  [null, null],
])('the address %j leads to %j', (value, expected) => expect(mailtoUrl(value)).toBe(expected));

test.each([
  ['0900000001', 'tel:0900000001'],
  ['+84 911 000 (002)', 'tel:+84911000002'],
  ['028.3822-1234', 'tel:02838221234'],
  ['1900', null],
  ['0900000001 / 0900000002', null],
  ['0900000001;ext=javascript:alert(1)', null],
  ['máy lẻ 12345678', null],
  ['1234567890123456', null],
  ['', null],
  [null, null],
])('the number %j leads to %j', (value, expected) => expect(telUrl(value)).toBe(expected));

test('what is to be written cannot add headers or further addresses', () => {
  const mail = { subject: 'a&bcc=x@y.example\nCc: z', body: '1\n2' };
  expect(mailtoUrl('an@crm.example', mail)).toBe(
    'mailto:an@crm.example?subject=a%26bcc%3Dx%40y.example%20Cc%3A%20z&body=1%0A2',
  );
});
