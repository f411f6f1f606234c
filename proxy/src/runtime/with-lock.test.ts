import { expect, test } from 'vitest';
import { memoryStore } from '#store/testing/memory-store.ts';
import { createWithLock } from './jobs.ts';

test('work on one thing never overlaps, in one process or in two; work on another thing does', async () => {
  const store = memoryStore();
  const processes = [createWithLock(store), createWithLock(store)];
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, (_, i) => processes[i % 2]?.('one', work)));
  expect(most).toBe(1);
  const [withLock] = processes;
  await Promise.all([withLock?.('one', work), withLock?.('two', work)]);
  expect(most).toBe(2);
});

test('work that fails gives its right back and keeps nobody after it out', async () => {
  const store = memoryStore();
  const withLock = createWithLock(store);
  const failing = withLock('one', () => Promise.reject(new Error('no')));
  const next = withLock('one', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(store.rows.leases.size).toBe(0);
});
