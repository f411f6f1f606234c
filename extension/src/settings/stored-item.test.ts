import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser });
});
const { storedItem } = await import('./stored-item.ts');

beforeEach(() => fakeBrowser.reset());

test('a value is kept under its key until null takes it away', async () => {
  const item = storedItem('some');
  expect(await item.read()).toBeUndefined();
  await item.write({ of: 'value' });
  expect(await fakeBrowser.storage.local.get()).toEqual({ some: { of: 'value' } });
  expect(await item.read()).toEqual({ of: 'value' });
  await item.write(null);
  expect(await fakeBrowser.storage.local.get()).toEqual({});
});

test('who watches is told of a change of this value, not of others nor of the same again, and not once it has ended', async () => {
  const item = storedItem('some');
  const changed = vi.fn();
  const end = item.watch(changed);
  await item.write({ of: 1 });
  expect(changed).toHaveBeenCalledTimes(1);
  await item.write({ of: 1 });
  await storedItem('other').write({ of: 2 });
  expect(changed).toHaveBeenCalledTimes(1);
  await item.write(null);
  expect(changed).toHaveBeenCalledTimes(2);
  end();
  await item.write({ of: 3 });
  expect(changed).toHaveBeenCalledTimes(2);
});
