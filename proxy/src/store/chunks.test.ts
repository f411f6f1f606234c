import { expect, test } from 'vitest';
import { chunksOf } from './chunks.ts';

test('everything comes once and in order', () => {
  const items = Array.from({ length: 1_234 }, (_, i) => i);
  const chunks = [...chunksOf(items)];
  expect(chunks.flat()).toEqual(items);
  expect(chunks.length).toBeGreaterThan(1);
});

test('of nothing there is no chunk', () => {
  expect([...chunksOf([])]).toEqual([]);
});
