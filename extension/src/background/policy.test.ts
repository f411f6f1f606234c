import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { until } from '#testing/until.ts';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser });
});
const { learnPolicy, onPolicyLearnt, rememberedPolicy } = await import('./settings.ts');
const { readSettings, writeSettings } = await import('./settings.ts');

beforeEach(() => {
  vi.restoreAllMocks();
  fakeBrowser.reset();
});

/** A browser that takes its time for the policy, as Chromium does after its start. */
function slowPolicy() {
  let answer = (_: Record<string, unknown>) => {};
  const get = new Promise<Record<string, unknown>>((resolve) => {
    answer = resolve;
  });
  vi.spyOn(fakeBrowser.storage.managed, 'get').mockReturnValue(get as never);
  return (policy: Record<string, unknown>) => answer(policy);
}

test('settings do not wait for the policy; once it has arrived it applies, and whoever watches is told', async () => {
  await writeSettings({ helpdesk: 'https://own.example', proxy: 'https://own-proxy.example' });
  const answer = slowPolicy();
  const learnt = vi.fn();
  onPolicyLearnt(learnt);
  const learning = learnPolicy();
  expect(await readSettings()).toMatchObject({ helpdesk: 'https://own.example', locks: { helpdesk: null } });
  answer({ helpdesk_url: 'help.example/helpdesk' });
  expect(await learning).toBe(true);
  expect(await readSettings()).toMatchObject({
    helpdesk: 'https://help.example',
    proxy: 'https://own-proxy.example',
    locks: { helpdesk: 'policy', proxy: null },
  });
  await until(() => expect(learnt).toHaveBeenCalled());
});

test('what was learnt last time holds from the start, and cannot be written over while the browser is asked', async () => {
  await fakeBrowser.storage.managed.set({ helpdesk_url: 'https://help.example', language: 'vi' });
  await learnPolicy();
  const answer = slowPolicy();
  const learning = learnPolicy();
  await writeSettings({ helpdesk: 'https://evil.example', language: 'en' });
  expect(await readSettings()).toMatchObject({
    helpdesk: 'https://help.example',
    language: 'vi',
    locks: { helpdesk: 'policy', language: 'policy' },
  });
  answer({ helpdesk_url: 'https://help.example', language: 'vi' });
  expect(await learning).toBe(false);
});

test('a policy that was withdrawn or changed is forgotten', async () => {
  await fakeBrowser.storage.managed.set({ helpdesk_url: 'https://help.example', proxy_url: 'https://proxy.example' });
  await learnPolicy();
  await fakeBrowser.storage.managed.clear();
  await fakeBrowser.storage.managed.set({ proxy_url: 'https://other.example' });
  expect(await learnPolicy()).toBe(true);
  expect(await rememberedPolicy()).toEqual({ proxy: 'https://other.example' });
});

test('addresses are parsed as leniently as typed ones, and an unusable value does not affect the others', async () => {
  await fakeBrowser.storage.managed.set({
    helpdesk_url: 'help.example/helpdesk',
    proxy_url: 'ftp://x',
    language: 'fr',
  });
  await learnPolicy();
  expect(await rememberedPolicy()).toEqual({ helpdesk: 'https://help.example' });
});

test('a browser that throws without a policy, as Firefox does, has none', async () => {
  vi.spyOn(fakeBrowser.storage.managed, 'get').mockRejectedValue(new Error('Managed storage manifest not found'));
  expect(await learnPolicy()).toBe(false);
  expect(await rememberedPolicy()).toEqual({});
});

test.each([null, 'text', 7, { helpdesk: 'http://insecure.example' }])(
  'something else in the store (%j) counts as no policy',
  async (stored) => {
    await fakeBrowser.storage.local.set({ policy: stored });
    expect(await rememberedPolicy()).toEqual({});
  },
);
