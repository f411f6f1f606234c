import { expect, test } from 'vitest';
import { chunksOf } from './chunks.ts';

test('everything comes once and in order, and everything else gets its turn between two chunks', async () => {
  const items = Array.from({ length: 1_234 }, (_, i) => i);
  const chunks: number[][] = [];
  const seenByOthers: number[] = [];
  for await (const chunk of chunksOf(items)) {
    chunks.push(chunk);
    setImmediate(() => seenByOthers.push(chunks.length));
  }
  expect(chunks.flat()).toEqual(items);
  expect(chunks.length).toBeGreaterThan(1);
  expect(seenByOthers.slice(0, chunks.length - 1)).toEqual(chunks.slice(1).map((_, i) => i + 1));
});

test('of nothing there is no chunk', async () => {
  for await (const chunk of chunksOf([])) expect.unreachable(`${chunk}`);
});
