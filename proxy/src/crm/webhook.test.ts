import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsSecret, maskSecrets, parseWebhook } from './rest.ts';

const webhook = { origin: 'https://crm.example', userId: '57001', secret: 's3cr3t0key' };

test.each([
  'https://crm.example/rest/57001/s3cr3t0key/',
  'https://crm.example/rest/57001/s3cr3t0key',
  ' https://crm.example:443/rest/57001/s3cr3t0key/ ',
  'https://crm.example/rest/api/57001/s3cr3t0key/',
  'https://crm.example/rest/57001/s3cr3t0key/user.get.json',
  'https://crm.example/rest/57001/s3cr3t0key/user.get.json?ID={ASSIGNED_BY_ID}',
  'https://crm.example/rest/57001/s3cr3t0key/user.get.json?ID={ID}',
])('%s is read', (value) => expect(parseWebhook(value)).toEqual({ ok: true, webhook }));

test.each([
  '',
  's3cr3t0key',
  'ftp://crm.example/rest/57001/s3cr3t0key/',
  'https://crm.example/rest/s3cr3t0key/',
  'https://crm.example/rest/57001/',
  'https://crm.example/rest/abc/s3cr3t0key/',
  'https://user:s3cr3t0key@crm.example/rest/57001/s3cr3t0key/',
  'https://crm.example/other/rest/57001/s3cr3t0key/',
  'https://crm.example/rest/57001/s3cr3t0key/a/b',
])('%j is refused, and the refusal does not quote it', (value) => {
  const parsed = parseWebhook(value);
  expect(parsed.ok).toBe(false);
  expect(JSON.stringify(parsed)).not.toContain('s3cr3t0key');
});

test.each([
  ['U+200B', 'https://crm.example/rest/57001/s3cr3t0key\u200b/'],
  ['U+FEFF', 'https://crm.example/rest/\ufeff57001/s3cr3t0key/'],
  ['U+202C', 'https://crm.example/rest/57001/s3cr3t\u202c0key/'],
  ['U+00AD', 'https://crm.exa\u00admple/rest/57001/s3cr3t0key/'],
])('an invisible sign, %s, is named', (sign, value) => {
  const parsed = parseWebhook(value);
  expect(parsed).toMatchObject({ ok: false, problem: expect.stringContaining(sign) });
  expect(JSON.stringify(parsed)).not.toContain('s3cr3t');
});

test('it never throws', () => {
  const pieces = fc.constantFrom(...'https:// crm.example / rest api 57001 @ : ? [ % \u200b'.split(' '));
  const value = fc.array(fc.oneof(pieces, fc.string({ maxLength: 9 }))).map((parts) => parts.join(''));
  fc.assert(fc.property(value, (text) => typeof parseWebhook(text).ok === 'boolean'));
});

const secret = 's3cr3t0key';

test.each([
  ['a webhook', `https://crm.example/rest/57/${secret}/crm.company.list.json`],
  ['one in the form with api', `https://crm.example/rest/api/57/${secret}/user.get`],
  ['one at the end of a sentence', `see /REST/57/${secret} now`],
  ['one that is percent-encoded', `https%3A%2F%2Fcrm.example%2Frest%2F57%2F${secret}%2Fx`],
  ['one that is partly encoded', `https://crm.example/rest%2fapi%2f57%2f${secret}`],
  ['one that is encoded twice', `%252Frest%252F57%252F${secret}`],
  ['one in JSON of PHP', String.raw`{"url":"https:\/\/crm.example\/rest\/57\/${secret}\/"}`],
  ['one in JSON inside of JSON', JSON.stringify(String.raw`\/rest\/57\/${secret}\/`)],
  ['a token of a file address', `/bitrix/components/show_file.php?auth=${secret}&fileId=9001`],
  ['an access token', `https://crm.example/x?id=1&access_token=${secret}`],
  ['a token behind an entity', `https://crm.example/x?id=1&amp;token=${secret}`],
  ['a token that is percent-encoded', `https%3A%2F%2Fcrm.example%2Fx%3Fauth%3D${secret}`],
])('%s is seen and taken out, and what stands around it stays', (_, text) => {
  expect(holdsSecret(text)).toBe(true);
  expect(maskSecrets(text)).toBe(text.replace(secret, '[secret]'));
});

test.each([
  'https://shop.example/rest/of/it?x=1',
  'Nghỉ /rest/ 5 phút',
  'https://shop.example/author=1',
  'https://crm.example/crm/company/details/63002/',
  'the rest/57 of it',
])('%s is ordinary text', (text) => {
  expect(holdsSecret(text)).toBe(false);
  expect(maskSecrets(text)).toBe(text);
});

test('no text around a webhook lets its secret through', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const text = `${before}/rest/57001/${secret}/${after}/rest/2/${secret}?auth=${secret}`;
      return holdsSecret(text) && !maskSecrets(text).includes(secret);
    }),
  );
});

// Each would take minutes if the time grew with the square of the length.
test.each(['\\', '%25', '/rest', '/rest/1', '/', '%', '?auth', '/rest/57/', '%2frest%2f'])(
  '%j over and over is read to the end',
  (piece) => {
    expect(maskSecrets(piece.repeat(100_000)).length).toBeGreaterThan(0);
  },
);
