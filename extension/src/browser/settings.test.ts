import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { until } from '#testing/until.ts';
import { decide, learnPolicy, onPolicyLearnt, readSettings, writeSettings } from './settings.ts';

const nothing = { helpdesk: null, proxy: null, language: 'auto' } as const;
const own = { helpdesk: 'https://own.example', proxy: 'https://own-proxy.example', language: 'en' } as const;
const { managed, local } = fakeBrowser.storage;

beforeEach(() => vi.restoreAllMocks());

/** A browser that takes its time for the policy, as Chromium does after its start. */
function slowPolicy() {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  vi.spyOn(managed, 'get').mockReturnValue(promise as never);
  return resolve;
}

test('a fresh installation has no address; what was written is read back, and fields that are not given stay', async () => {
  expect(await readSettings()).toEqual({ ...nothing, locks: { helpdesk: null, proxy: null, language: null } });
  await writeSettings({ helpdesk: own.helpdesk, proxy: own.proxy });
  await writeSettings({ language: 'en' });
  expect(await readSettings()).toMatchObject(own);
});

test.each([
  ['an insecure address', { ...own, helpdesk: 'http://help.example' }],
  ['no origin', { ...own, helpdesk: 'https://help.example/helpdesk' }],
  ['another type', { ...own, helpdesk: 7 }],
])('an invalid stored value (%s) does not affect the others', async (_, settings) => {
  await local.set({ settings });
  expect(await readSettings()).toMatchObject({ ...own, helpdesk: null });
});

test.each([null, 'text', 7, []])(
  'something else in the store (%j) counts as nothing set, and no policy',
  async (stored) => {
    await local.set({ settings: stored, policy: stored });
    expect(await readSettings()).toMatchObject(nothing);
  },
);

test('a built-in address wins over the policy, that over the agent’s choice, field by field', () => {
  const policy = { helpdesk: 'https://policy.example', language: 'vi' } as const;
  expect(decide(own, policy, { helpdesk: 'https://built.example', proxy: null })).toEqual({
    ...{ helpdesk: 'https://built.example', proxy: own.proxy, language: 'vi' },
    locks: { helpdesk: 'build', proxy: null, language: 'policy' },
  });
  expect(decide(own, policy, { helpdesk: null, proxy: null })).toMatchObject({
    ...{ helpdesk: 'https://policy.example', locks: { helpdesk: 'policy' } },
  });
});

test('settings do not wait for the policy; once it has arrived it applies, and whoever watches is told', async () => {
  await writeSettings(own);
  const answer = slowPolicy();
  const learnt = vi.fn();
  onPolicyLearnt(learnt);
  const learning = learnPolicy();
  expect(await readSettings()).toMatchObject({ ...own, locks: { helpdesk: null } });
  // As lenient as with a typed one, and without what cannot be used.
  answer({ helpdesk_url: 'help.example/helpdesk', proxy_url: 'ftp://x', language: 'fr' });
  expect(await learning).toBe(true);
  const locks = { helpdesk: 'policy', proxy: null, language: null };
  expect(await readSettings()).toEqual({ ...own, helpdesk: 'https://help.example', locks });
  await until(() => expect(learnt).toHaveBeenCalled());
});

test('what was learnt last time holds from the start, and cannot be written over while the browser is asked', async () => {
  await managed.set({ helpdesk_url: 'https://help.example', language: 'vi' });
  await learnPolicy();
  const answer = slowPolicy();
  const learning = learnPolicy();
  await writeSettings({ helpdesk: 'https://evil.example', language: 'en' });
  expect(await readSettings()).toMatchObject({ helpdesk: 'https://help.example', language: 'vi' });
  answer({ helpdesk_url: 'https://help.example', language: 'vi' });
  expect(await learning).toBe(false);
});

test('a policy that was withdrawn or changed is forgotten; a browser that throws without one, as Firefox does, has none', async () => {
  await managed.set({ helpdesk_url: 'https://help.example', proxy_url: 'https://proxy.example' });
  await learnPolicy();
  await managed.clear();
  await managed.set({ proxy_url: 'https://other.example' });
  expect(await learnPolicy()).toBe(true);
  expect(await readSettings()).toMatchObject({ helpdesk: null, proxy: 'https://other.example' });
  vi.spyOn(managed, 'get').mockRejectedValue(new Error('Managed storage manifest not found'));
  expect(await learnPolicy()).toBe(true);
  expect(await readSettings()).toMatchObject(nothing);
});
