import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskSecrets } from '#crm/rest.ts';
import { createRedactor } from './log.ts';
import { Secret } from './secret.ts';

const canary = 'c4n4ry-s3cr3t';

test('a Secret shows itself nowhere', () => {
  const secret = new Secret(canary);
  const shown = [
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    String(secret),
  ];
  expect(shown.join()).not.toContain(canary);
  expect(secret.reveal()).toBe(canary);
});

test('known secrets are taken out wherever they stand, also URL-encoded', () => {
  const redact = createRedactor([canary, 'p@ss word/1'], maskSecrets);
  expect(redact(`x${canary}y p@ss word/1 p%40ss%20word%2F1`)).toBe('x[secret]y [secret] [secret]');
});

test.each([
  'https://crm.example/rest/57001/abcdefgh12345678/batch.json',
  'https://crm.example/rest/api/57001/abcdefgh12345678',
  'https%3A%2F%2Fcrm.example%2Frest%2F57001%2Fabcdefgh12345678%2F',
  'GET /show_file.php?auth=abcdefgh12345678&fileId=1',
  '{"url":"https://crm.example/x?id=1&access_token=abcdefgh12345678"}',
  'Authorization: token abcdefgh12345678',
  '{"authorization":"Bearer abcdefgh12345678"}',
])('a credential of anybody goes from %j', (text) => {
  expect(createRedactor([], maskSecrets)(text)).not.toContain('abcdefgh12345678');
});

test('no text around it lets a known secret through', () => {
  const redact = createRedactor([canary], maskSecrets);
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => !redact(before + canary + after).includes(canary)),
  );
});
