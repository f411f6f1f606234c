import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, changedInForce, loopback, parseConfig, parseTrustedProxies, secretsOf } from './config.ts';

const least = { HELPDESK_URL: 'https://help.example', HELPDESK_API_KEY: 'key', HELPDESK_API_SECRET: 'the-secret' };

function refusal(change: Record<string, string | undefined>): string {
  try {
    parseConfig({ ...least, ...change });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('It was accepted');
}

test('three variables are enough; everything else has the default that docs/operate.md names', () => {
  // An empty variable counts as unset.
  expect(parseConfig({ ...least, PORT: '', CRM_WEBHOOK_URL: ' ' })).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8787,
    CRM_ENABLED: true,
    CRM_TIMEOUT_SECONDS: 15,
    CRM_REFRESH_TTL_MINUTES: 60,
    CRM_PLAN: 'standard',
    OAUTH_CLIENT_IDS: {},
    ALLOW_INSECURE_UPSTREAMS: false,
    LOG_LEVEL: 'info',
  });
});

test.each([
  [{ HELPDESK_URL: undefined }, 'HELPDESK_URL: missing; expected the address of the helpdesk'],
  [{ HELPDESK_URL: 'help.example' }, 'HELPDESK_URL: found "help.example"; expected an address without a path'],
  [{ HELPDESK_URL: 'https://help.example/helpdesk' }, 'expected an address without a path'],
  [
    { HELPDESK_URL: 'http://help.example' },
    'HELPDESK_URL: found an http address; expected https (for trials ALLOW_INSECURE_UPSTREAMS=1 allows http; the extension refuses it',
  ],
  [{ PORT: '70000' }, 'PORT: found "70000"; expected a whole number from 0 to 65535'],
  [{ CRM_REFRESH_TTL_MINUTES: '1.5' }, 'CRM_REFRESH_TTL_MINUTES: found "1.5"; expected a whole number'],
  [{ CRM_TIMEOUT_SECONDS: '0' }, 'CRM_TIMEOUT_SECONDS: found "0"; expected a whole number from 1 to 55'],
  [{ CRM_ENABLED: 'maybe' }, 'CRM_ENABLED: found "maybe"; expected 1 or 0'],
  [{ CRM_PLAN: 'gold' }, 'CRM_PLAN: found "gold"; expected standard or enterprise'],
  [{ OAUTH_CLIENT_IDS: '{"opera":"x"}' }, 'OAUTH_CLIENT_IDS: found a value of 13 characters; expected JSON such as'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: found a value of 9 characters; expected file:<folder> or postgres://'],
  [
    { CRM_EVENT_TOKEN: 'a-token-that-is-long,another-long-token,third-long-token' },
    'one secret, or while it is being replaced the other one after a comma',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: found "loud"; expected one of debug, info'],
  [{ RULES_FILE: '/nowhere/rules.json' }, 'expected the path of a readable JSON file'],
])('%j is refused with what was found and what is expected', (change, message) => {
  expect(refusal(change)).toContain(message);
});

test('every wrong value is named at once, and no secret is quoted', () => {
  const secret = 'c4n4ry-v4lu3';
  const message = refusal({
    PORT: 'x',
    CRM_WEBHOOK_URL: `https://crm.example/rest/${secret}`,
    DATABASE_URL: `db:${secret}`,
  });
  for (const variable of ['PORT', 'CRM_WEBHOOK_URL', 'DATABASE_URL']) expect(message).toContain(`  ${variable}: found`);
  expect(message).not.toContain(secret);
});

test.each<[variable: string, value: string, where: string]>([
  ['HELPDESK_API_KEY', 'abc\u200bdef', 'its sign 4 of 7 cannot be seen (U+200B)'],
  ['HELPDESK_API_SECRET', '\ufeffc4n4ryv4lu3', 'its sign 1 of 12 cannot be seen (U+FEFF)'],
  ['HELPDESK_API_SECRET', 'c4n4ryv4lu3,c4n4ry\u00a0v4lu3', 'its sign 19 of 24 cannot be seen (U+00A0)'],
  ['HELPDESK_WEBHOOK_SECRET', 'c4n4ry\u00adv4lu3c4n4ryv4lu3', 'its sign 7 of 23 cannot be seen (U+00AD)'],
  ['CRM_WEBHOOK_URL', 'https://crm.example/rest/1/c4n4ry\u2060v4lu3/', 'its sign 34 of 40 cannot be seen (U+2060)'],
  ['CRM_EVENT_TOKEN', 'c4n4ryv4lu3c4n4ry\u202ev4lu3', 'its sign 18 of 23 cannot be seen (U+202E)'],
  ['METRICS_TOKEN', 'c4n4ryv4lu3\u2003c4n4ryv4lu3', 'its sign 12 of 23 cannot be seen (U+2003)'],
  ['HELPDESK_URL', 'https://help\u200d.example', 'its sign 13 of 21 cannot be seen (U+200D)'],
  ['CRM_PORTAL_URL', 'https://crm.example\u{e0020}', 'its sign 20 of 20 cannot be seen (U+E0020)'],
  ['PUBLIC_URL', 'https://\ufe0fdeskside.example', 'its sign 9 of 25 cannot be seen (U+FE0F)'],
])('a sign in %s that nobody sees is named at once: %j', (variable, value, where) => {
  const message = refusal({ [variable]: value });
  expect(message).toContain(`  ${variable}: ${where}`);
  expect(message.split(variable)).toHaveLength(2);
  expect(message).not.toMatch(/v4lu3|c4n4ry/);
});

test('a rules file is checked to the last key; one that is no text is refused with that alone', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-rules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const RULES_FILE = path.join(folder, 'rules.json');
  writeFileSync(RULES_FILE, '{"crm_fields":{"company_id":"lower"},"team":{}}');
  const message = refusal({ RULES_FILE });
  expect(message).toContain('crm_fields.company_id: expected the name of a CRM field');
  expect(message).toContain('"team"');
  writeFileSync(RULES_FILE, '\ufeff{"crm_fields":{"company_id":"UF_CRM_OTHER"}}');
  expect(parseConfig({ ...least, RULES_FILE }).rules.crm_fields.company_id).toBe('UF_CRM_OTHER');
  writeFileSync(RULES_FILE, '{"claims": "hold"}', 'utf16le');
  expect(refusal({ RULES_FILE })).toContain('it is UTF-16; save it as UTF-8');
});

test('two webhooks are of one portal', () => {
  const hook = (host: string) => `https://${host}/rest/57/s3cr3tk3y/`;
  const both = (first: string, second: string) => ({ CRM_WEBHOOK_URL: `${hook(first)}, ${hook(second)}` });
  expect(parseConfig({ ...least, ...both('crm.example', 'crm.example') }).CRM_WEBHOOK_URL).toHaveLength(2);
  expect(refusal(both('crm.example', 'other.example'))).toContain('expected two webhooks of one portal');
});

test('the redactor learns of every secret, that inside a webhook address included', () => {
  const config = parseConfig({
    ...least,
    CRM_WEBHOOK_URL: 'https://crm.example/rest/57/s3cr3tk3y/',
    CRM_EVENT_TOKEN: 'event-token-0123456',
  });
  expect(secretsOf(config)).toEqual(expect.arrayContaining(['the-secret', 's3cr3tk3y', 'event-token-0123456']));
});

test.each([
  ['none', []],
  ['loopback', loopback],
  ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
  ['loopback,2001:db8::/32', [...loopback, '2001:db8::/32']],
  ['10.0.0.0/33', null],
  ['proxy.example', null],
  ['10.0.0.1/', null],
  ['*', null],
  ['10.0.0.1,', null],
])('TRUSTED_PROXIES=%j', (text, ranges) => {
  expect(parseTrustedProxies(text)).toEqual(ranges);
});

test('what is made once stays and is named where a changed setting comes into force, the rest is as it was wanted', () => {
  const before = parseConfig({ ...least, METRICS_TOKEN: 'a-token-of-before-1' });
  const restarting = {
    PORT: '9000',
    DATABASE_URL: 'postgres://elsewhere/deskside',
    HELPDESK_API_SECRET: 'the-secret,another',
  };
  const free = { METRICS_TOKEN: 'a-token-of-after-22', CRM_TIMEOUT_SECONDS: '3', CRM_PLAN: 'enterprise' };
  const { inForce, needRestart } = changedInForce(before, parseConfig({ ...least, ...restarting, ...free }));
  expect(needRestart).toEqual(['PORT', 'DATABASE_URL', 'HELPDESK_API_SECRET']);
  expect(inForce).toMatchObject({ PORT: 8787, CRM_TIMEOUT_SECONDS: 3, CRM_PLAN: 'enterprise' });
  expect(inForce.DATABASE_URL).toBe(before.DATABASE_URL);
  expect(inForce.METRICS_TOKEN?.map((token) => token.reveal())).toEqual(['a-token-of-after-22']);
  expect(changedInForce(before, parseConfig({ ...least, METRICS_TOKEN: 'a-token-of-before-1' })).needRestart).toEqual(
    [],
  );
});
