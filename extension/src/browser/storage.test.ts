import { expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import * as z from 'zod/mini';
import { lastingItem, oncePerStart, sessionItem } from './storage.ts';

test.each([
  ['local', lastingItem],
  ['session', sessionItem],
] as const)('a value is kept under its key in the %s storage until null takes it away', async (area, itemOf) => {
  const item = itemOf('some', z.object({ of: z.string() }));
  expect(await item.read()).toBeUndefined();
  await item.write({ of: 'value' });
  expect(await fakeBrowser.storage[area].get()).toEqual({ some: { of: 'value' } });
  expect(await item.read()).toEqual({ of: 'value' });
  await fakeBrowser.storage[area].set({ some: { of: 7 } });
  expect(await item.read()).toBeUndefined();
  await item.write(null);
  expect(await fakeBrowser.storage[area].get()).toEqual({});
});

test('who watches is told of a change of this value, not of others nor of the same again, and not once it has ended', async () => {
  const number = z.object({ of: z.number() });
  const item = lastingItem('some', number);
  const changed = vi.fn();
  const end = item.watch(changed);
  await item.write({ of: 1 });
  expect(changed).toHaveBeenCalledTimes(1);
  await item.write({ of: 1 });
  await lastingItem('other', number).write({ of: 2 });
  expect(changed).toHaveBeenCalledTimes(1);
  await item.write(null);
  expect(changed).toHaveBeenCalledTimes(2);
  end();
  await item.write({ of: 3 });
  expect(changed).toHaveBeenCalledTimes(2);
});

/** Runs the work as the next background does; false if it was not asked for. */
async function start(work: () => Promise<void>): Promise<boolean> {
  const called = vi.fn(work);
  await oncePerStart(called).catch(() => {});
  return called.mock.calls.length > 0;
}

test('what was done is not done again by the next background, what failed is', async () => {
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
