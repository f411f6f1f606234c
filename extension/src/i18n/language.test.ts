import { expect, test } from 'vitest';
import { resolveLanguage } from './language.ts';

test.each([
  ['vi', 'en', 'en-US', 'vi'],
  ['en', 'vi', 'vi-VN', 'en'],
  ['auto', 'vi', 'en-US', 'vi'],
  ['auto', 'vi-VN', 'en-US', 'vi'],
  ['auto', 'EN_gb', 'vi', 'en'],
  ['auto', 'de', 'vi-VN', 'vi'],
  ['auto', null, 'vi', 'vi'],
  ['auto', '', 'fr', 'en'],
  ['auto', 'vie', 'english', 'en'],
] as const)('setting %s, helpdesk %s, browser %s: %s', (setting, host, browser, expected) => {
  expect(resolveLanguage(setting, host, browser)).toBe(expected);
});
