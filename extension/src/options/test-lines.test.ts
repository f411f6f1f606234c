import { expect, test } from 'vitest';
import { optionsTexts } from '#i18n/pages/options.ts';
import type { ConnectionTest, OptionsState } from '#messaging/page-protocol.ts';
import type { PanelErrorCode, Result } from '#messaging/protocol.ts';
import { testLines } from './test-lines.ts';

const state: OptionsState = {
  helpdesk: { value: 'https://help.example', lock: null, granted: true },
  proxy: { value: 'https://proxy.example', lock: null, granted: true },
  language: 'auto',
  languageLocked: false,
  spoken: 'en',
  session: 'signed_in',
  shortcut: null,
  version: '1',
};
const whoami = {
  user: 'an@help.example',
  full_name: 'Nguyễn An',
  language: null,
  is_agent: true,
  is_manager: false,
  proxy_version: '1',
  helpdesk_url: 'https://help.example',
  missing: [],
};
const good = {
  discovery: {
    ok: true,
    data: {
      name: 'deskside',
      version: '1.2',
      helpdesk_url: 'https://help.example/',
      oauth_client_ids: { chrome: 'c' },
    },
  },
  canSignIn: true,
  whoami: { ok: true, data: whoami },
} satisfies ConnectionTest;
const texts = optionsTexts.en.test;

test('if all is well every line is good, and the account is named', () => {
  const lines = testLines(good, state, texts);
  expect(lines.map(({ tone }) => tone)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(lines.map(({ text }) => text)).toContain('You are Nguyễn An (an@help.example).');
});

test('a missing permission comes first', () => {
  const proxy = { ...state.proxy, granted: false };
  expect(testLines(good, { ...state, proxy }, texts)[0]).toEqual({ tone: 'bad', text: texts.noAccess('proxy') });
});

const failed = (code: PanelErrorCode): Result<never> => ({ ok: false, error: { code } });

test('a proxy that does not answer ends the list', () => {
  expect(testLines({ ...good, discovery: failed('unreachable') }, state, texts)).toEqual([
    { tone: 'bad', text: texts.proxyProblems.unreachable },
  ]);
});

test('the proxy of another helpdesk is a warning that names it', () => {
  const lines = testLines(good, { ...state, helpdesk: { ...state.helpdesk, value: 'https://other.example' } }, texts);
  expect(lines[1]).toEqual({ tone: 'warn', text: texts.otherHelpdesk('https://help.example/') });
});

test('a missing OAuth client is a warning', () => {
  const lines = testLines({ ...good, canSignIn: false }, state, texts);
  expect(lines).toContainEqual({ tone: 'warn', text: texts.noClient });
});

test('an account that is not an agent is told so', () => {
  const test = { ...good, whoami: { ok: true as const, data: { ...whoami, is_agent: false } } };
  expect(testLines(test, state, texts).at(-1)).toEqual({ tone: 'bad', text: texts.noAgent });
});

test('each gap of the set-up is named, with the detail that the proxy gives', () => {
  const missing = [{ part: 'helpdesk' as const, code: 'fields_missing' as const, detail: 'custom_orgid' }];
  const test = { ...good, whoami: { ok: true as const, data: { ...whoami, missing } } };
  expect(testLines(test, state, texts).at(-1)).toEqual({
    tone: 'warn',
    text: texts.gaps.fields_missing,
    detail: 'custom_orgid',
  });
});

test('a problem without a text of its own still names its code', () => {
  expect(testLines({ ...good, whoami: failed('internal') }, state, texts).at(-1)?.text).toContain('internal');
});
