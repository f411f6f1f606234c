import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser });
});
const { decide, readSettings, writeSettings } = await import('./settings.ts');
const { readApiKey, writeApiKey } = await import('./api-key-store.ts');

const nothing = { helpdesk: null, proxy: null, language: 'auto' } as const;

beforeEach(() => fakeBrowser.reset());

test('a fresh installation has no address, no key, and follows the helpdesk in its language', async () => {
  expect(await readSettings()).toMatchObject({ ...nothing, locks: { helpdesk: null, proxy: null, language: null } });
  expect(await readApiKey()).toBeNull();
});

test('what is written is read again, and what is not given stays', async () => {
  await writeSettings({ helpdesk: 'https://help.example', proxy: 'https://proxy.example' });
  await writeSettings({ language: 'vi' });
  expect(await readSettings()).toMatchObject({
    helpdesk: 'https://help.example',
    proxy: 'https://proxy.example',
    language: 'vi',
  });
});

test.each([
  ['an insecure address', { helpdesk: 'http://help.example', proxy: 'https://p.example', language: 'vi' }, null],
  ['no origin', { helpdesk: 'https://help.example/helpdesk', proxy: 'https://p.example', language: 'vi' }, null],
  ['another type', { helpdesk: 7, proxy: 'https://p.example', language: 'vi' }, null],
])('a stored value that does not fit (%s) costs only itself', async (_, stored, helpdesk) => {
  await fakeBrowser.storage.local.set({ settings: stored });
  expect(await readSettings()).toMatchObject({ helpdesk, proxy: 'https://p.example', language: 'vi' });
});

test.each([null, 'text', 7, []])('stored rubbish (%j) reads as nothing set', async (stored) => {
  await fakeBrowser.storage.local.set({ settings: stored });
  expect(await readSettings()).toMatchObject(nothing);
});

test('a policy is read as leniently as a person types, and wins over what the agent chose', async () => {
  await writeSettings({ helpdesk: 'https://own.example', language: 'en' });
  await fakeBrowser.storage.managed.set({
    helpdesk_url: 'help.example/helpdesk',
    proxy_url: 'ftp://x',
    language: 'vi',
  });
  expect(await readSettings()).toMatchObject({
    helpdesk: 'https://help.example',
    proxy: null,
    language: 'vi',
    locks: { helpdesk: 'policy', proxy: null, language: 'policy' },
  });
});

test('a browser that throws where there is no policy, as Firefox does, changes nothing', async () => {
  await writeSettings({ helpdesk: 'https://own.example' });
  const get = vi
    .spyOn(fakeBrowser.storage.managed, 'get')
    .mockRejectedValue(new Error('Managed storage manifest not found'));
  expect((await readSettings()).helpdesk).toBe('https://own.example');
  expect(get).toHaveBeenCalled();
  get.mockRestore();
});

test('a built-in address wins over the policy', () => {
  const policy = { helpdesk: 'https://policy.example', proxy: 'https://policy-proxy.example' };
  const settings = decide(nothing, policy, { helpdesk: 'https://built.example', proxy: null });
  expect(settings).toMatchObject({
    helpdesk: 'https://built.example',
    proxy: 'https://policy-proxy.example',
    locks: { helpdesk: 'build', proxy: 'policy' },
  });
});

test.each(['', 'key', 'key:', ':secret', 'a b:c', 'key:secret:more', 'key:sec\nret'])(
  '%j is no API key and is never stored',
  async (key) => {
    await expect(writeApiKey(key)).rejects.toThrow();
    expect(await readApiKey()).toBeNull();
  },
);

test('an API key is stored without the blanks around it, and can be removed', async () => {
  await writeApiKey(' 0a1b2c:3d4e5f ');
  expect(await readApiKey()).toBe('0a1b2c:3d4e5f');
  await writeApiKey(null);
  expect(await readApiKey()).toBeNull();
});
