import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser });
});
const { decide, readSettings, writeSettings } = await import('./settings.ts');

const nothing = { helpdesk: null, proxy: null, language: 'auto' } as const;

beforeEach(() => fakeBrowser.reset());

test('a fresh installation has no address, and follows the helpdesk in its language', async () => {
  expect(await readSettings()).toMatchObject({ ...nothing, locks: { helpdesk: null, proxy: null, language: null } });
});

test('what was written is read back, and fields that are not given stay', async () => {
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
])('an invalid stored value (%s) does not affect the others', async (_, stored, helpdesk) => {
  await fakeBrowser.storage.local.set({ settings: stored });
  expect(await readSettings()).toMatchObject({ helpdesk, proxy: 'https://p.example', language: 'vi' });
});

test.each([null, 'text', 7, []])('invalid stored data (%j) counts as nothing set', async (stored) => {
  await fakeBrowser.storage.local.set({ settings: stored });
  expect(await readSettings()).toMatchObject(nothing);
});

test("a policy overrides the agent's choice, field by field", async () => {
  await writeSettings({ helpdesk: 'https://own.example', proxy: 'https://own-proxy.example', language: 'en' });
  await fakeBrowser.storage.local.set({ policy: { helpdesk: 'https://help.example', language: 'vi' } });
  expect(await readSettings()).toMatchObject({
    helpdesk: 'https://help.example',
    proxy: 'https://own-proxy.example',
    language: 'vi',
    locks: { helpdesk: 'policy', proxy: null, language: 'policy' },
  });
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
