import { expect, test } from 'vitest';
import { changedInForce, parseConfig } from './config.ts';

const least = {
  HELPDESK_URL: 'https://help.example',
  HELPDESK_API_KEY: 'key',
  HELPDESK_API_SECRET: 'the-secret',
  METRICS_TOKEN: 'a-token-of-before-1',
};

test('what is made once stays and is named, the rest is as it was wanted', () => {
  const before = parseConfig(least);
  const wanted = parseConfig({
    ...least,
    PORT: '9000',
    DATABASE_URL: 'postgres://elsewhere/deskside',
    HELPDESK_API_SECRET: 'the-secret,another',
    METRICS_TOKEN: 'a-token-of-after-22',
    CRM_TIMEOUT_SECONDS: '3',
    CRM_PLAN: 'enterprise',
    RETENTION_DAYS: '50',
  });
  const { inForce, needRestart } = changedInForce(before, wanted);
  expect(needRestart).toEqual(['PORT', 'DATABASE_URL', 'HELPDESK_API_SECRET']);
  expect(inForce).toMatchObject({ PORT: 8787, CRM_TIMEOUT_SECONDS: 3, CRM_PLAN: 'enterprise', RETENTION_DAYS: 50 });
  expect(inForce.DATABASE_URL).toBe(before.DATABASE_URL);
  expect(inForce.METRICS_TOKEN?.map((token) => token.reveal())).toEqual(['a-token-of-after-22']);
});

test('the same settings again need no restart', () => {
  expect(changedInForce(parseConfig(least), parseConfig(least)).needRestart).toEqual([]);
});
