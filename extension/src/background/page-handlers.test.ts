import { expect, test, vi } from 'vitest';
import { type PageHandlerOptions, pageHandlers } from './page-handlers.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import type { Settings, Stored } from './settings.ts';

const discovery = {
  name: 'deskside',
  version: '1.2',
  helpdesk_url: 'https://help.example',
  oauth_client_ids: { chrome: 'c' },
};

function setUp(change: Partial<PageHandlerOptions> = {}) {
  const settings: Settings = {
    helpdesk: 'https://help.example',
    proxy: 'https://proxy.example',
    language: 'auto',
    locks: { helpdesk: null, proxy: 'policy', language: null },
  };
  const forget = vi.fn();
  const session = {
    authorization: vi.fn(),
    seen: vi.fn(),
    renew: vi.fn(),
    signIn: vi.fn(async () => null),
    signOut: vi.fn(async () => {}),
    kind: vi.fn(async () => 'signed_in' as const),
  };
  const whoami = { ok: false, error: { code: 'not_an_agent' } };
  const handlers = pageHandlers({
    settings: async () => settings,
    saveSettings: async (stored: Partial<Stored>) => void Object.assign(settings, stored),
    granted: async (origin) => origin === 'https://help.example',
    session,
    call: vi.fn(async () => whoami) as unknown as ProxyCaller,
    language: async () => 'vi',
    forget,
    shortcut: async () => null,
    browser: 'chrome',
    version: '0.1.0',
    fetch: async () => Response.json({ success: true, data: discovery, message: '' }),
    ...change,
  });
  return { handlers, forget, session };
}

test('the state contains each setting, who set it and what is granted, but no secret', async () => {
  const state = await setUp().handlers['options.state']({});
  expect(state).toMatchObject({
    helpdesk: { value: 'https://help.example', lock: null, granted: true },
    proxy: { value: 'https://proxy.example', lock: 'policy', granted: false },
    session: 'signed_in',
    languageLocked: false,
    spoken: 'vi',
  });
});

test('a change of addresses or person clears cached answers', async () => {
  const { handlers, forget, session } = setUp();
  const addresses = { helpdesk: 'https://new.example', proxy: 'https://proxy.example' };
  const state = await handlers['options.saveAddresses'](addresses);
  expect(state.helpdesk).toEqual({ value: 'https://new.example', lock: null, granted: false });
  expect(await handlers['options.signIn']({})).toEqual({ problem: null });
  await handlers['options.signOut']({});
  expect(session.signOut).toHaveBeenCalled();
  expect(forget).toHaveBeenCalledTimes(3);
});

test('a change of language clears nothing', async () => {
  const { handlers, forget } = setUp();
  expect((await handlers['options.saveLanguage']({ language: 'vi' })).language).toBe('vi');
  expect(forget).not.toHaveBeenCalled();
});

test('a test checks the proxy first and then the account', async () => {
  expect(await setUp().handlers['options.test']({})).toEqual({
    discovery: { ok: true, data: discovery },
    canSignIn: true,
    whoami: { ok: false, error: { code: 'not_an_agent' } },
  });
});

test('a proxy without a client for this browser is recognised', async () => {
  expect((await setUp({ browser: 'firefox' }).handlers['options.test']({})).canSignIn).toBe(false);
});

test('a test stops if something other than the proxy answers', async () => {
  const { handlers } = setUp({ fetch: async () => new Response('<html>') });
  expect(await handlers['options.test']({})).toMatchObject({
    discovery: { ok: false, error: { code: 'bad_answer' } },
    canSignIn: false,
    whoami: null,
  });
});
