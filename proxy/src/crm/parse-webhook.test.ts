import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWebhook } from './parse-webhook.ts';

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

test('it never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.webUrl()), (value) => typeof parseWebhook(value).ok === 'boolean'));
});
