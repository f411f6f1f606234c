import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { launcherTexts } from '#launcher/texts.ts';
import { until } from '#testing/until.ts';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser, location: { origin: 'chrome-extension://deskside' } });
});
const { createBackground } = await import('./app.ts');

const address = { helpdesk: 'https://help.example', proxy: 'https://proxy.example' };
const launcher = {
  id: 'deskside',
  url: `${address.helpdesk}/helpdesk/tickets/2`,
  frameId: 0,
  tab: { id: 7, url: `${address.helpdesk}/helpdesk/tickets/2` },
};
const optionsPage = { id: 'deskside', url: 'chrome-extension://deskside/options.html' };
let registered: string[];

beforeEach(() => {
  fakeBrowser.reset();
  registered = [];
  // What the fake browser lacks, as far as it is needed here: everything is granted.
  Object.assign(fakeBrowser.runtime, { id: 'deskside', getManifest: () => ({ version: '1.2.3' }) });
  Object.assign(fakeBrowser, {
    permissions: { contains: async () => true },
    commands: { getAll: async () => [{ name: 'toggle-panel', shortcut: 'Alt+Shift+K' }] },
    action: { setBadgeText: vi.fn(), setBadgeBackgroundColor: vi.fn(), setTitle: vi.fn() },
    identity: { getRedirectURL: () => 'https://deskside.example/cb' },
    scripting: {
      getRegisteredContentScripts: async () => [],
      executeScript: async () => [],
      registerContentScripts: async (scripts: { matches: string[] }[]) => {
        registered.push(...scripts.flatMap(({ matches }) => matches));
      },
    },
  });
  vi.spyOn(fakeBrowser.i18n, 'getUILanguage').mockReturnValue('en');
});

test('launcher and options are there although the browser has not said what the policy is', async () => {
  await fakeBrowser.storage.local.set({ settings: address });
  vi.spyOn(fakeBrowser.storage.managed, 'get').mockReturnValue(new Promise(() => {}) as never);
  const background = createBackground();
  void background.learnPolicy();
  const start = { deskside: 'launcher.start', input: {} };
  expect(await background.handle(start, launcher)).toMatchObject({ output: { language: 'en' } });
  expect(await background.handle({ deskside: 'options.state', input: {} }, optionsPage)).toMatchObject({
    output: { helpdesk: { value: address.helpdesk, lock: null }, proxy: { value: address.proxy, lock: null } },
  });
  await background.applySettings(false);
  expect(new Set(registered)).toEqual(new Set(['https://help.example/helpdesk/*']));
});

test('the language that the proxy names is spoken in open pages at once, and a lead finds the Team page; from then on from the start', async () => {
  await fakeBrowser.storage.local.set({ settings: address });
  const token = { value: 't', expiresAt: Number.MAX_SAFE_INTEGER, user: 'an', clientId: 'c', ...address };
  await fakeBrowser.storage.session.set({ token });
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([launcher.tab] as never);
  const told = vi.spyOn(fakeBrowser.tabs, 'sendMessage').mockResolvedValue(undefined as never);
  const who = { user: 'an', full_name: null, language: 'vi', is_agent: true, is_manager: true, missing: [] };
  vi.stubGlobal('fetch', async (url: string | URL) => {
    const data = { ...who, proxy_version: '1', helpdesk_url: address.helpdesk };
    return `${url}`.endsWith('/api/whoami') ? Response.json({ success: true, data, message: '' }) : Response.error();
  });
  const background = createBackground();
  const ask = (deskside: string, input = {}) => background.handle({ deskside, input, user: 'an' }, launcher);
  expect(await ask('launcher.start')).toMatchObject({ output: { language: 'en', texts: { team: '' } } });
  await ask('profile.peek', { ticket: '2' });
  await until(() =>
    expect(told).toHaveBeenCalledWith(
      7,
      { deskside: 'language', language: 'vi', texts: launcherTexts.vi },
      { frameId: 0 },
    ),
  );
  expect(await ask('launcher.start')).toMatchObject({ output: { language: 'vi', texts: { team: 'Nhóm' } } });

  await fakeBrowser.storage.local.set({ settings: { ...address, language: 'en' } });
  await background.applySettings(false);
  expect(told).toHaveBeenLastCalledWith(7, expect.objectContaining({ language: 'en' }), { frameId: 0 });
  vi.unstubAllGlobals();
});
