import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser });
});
const { oncePerStart } = await import('./session-store.ts');

beforeEach(() => fakeBrowser.reset());

/** Runs the work as the next background does; false if it was not asked for. */
async function start(work: () => Promise<void>): Promise<boolean> {
  const called = vi.fn(work);
  await oncePerStart(called).catch(() => {});
  return called.mock.calls.length > 0;
}

test('what was done is not done again by the next background', async () => {
  expect([await start(async () => {}), await start(async () => {})]).toEqual([true, false]);
});

test('what failed is done again by the next background', async () => {
  const failing = async () => {
    throw new Error('storage is gone');
  };
  expect([await start(failing), await start(async () => {}), await start(async () => {})]).toEqual([true, true, false]);
});

test('what the browser ended half-way is done again by the next background', async () => {
  const begun = Promise.withResolvers<void>();
  void oncePerStart(() => {
    begun.resolve();
    return new Promise(() => {});
  });
  await begun.promise;
  expect([await start(async () => {}), await start(async () => {})]).toEqual([true, false]);
});
