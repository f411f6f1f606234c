import { expect, test } from 'vitest';
import { progressText } from './terminal.ts';

const began = new Date(2026, 10, 20, 2, 0).getTime();

test.each([
  [{ done: 0, total: 500, now: began }, '  0 % · 0 of 500 · 0.0/s'],
  [{ done: 100, total: 500, now: began + 100_000 }, ' 20 % · 100 of 500 · 1.0/s · done at 2:08'],
  [{ done: 30_000, total: 60_000, now: began + 60_000 }, ' 50 % · 30000 of 60000 · 500/s · done at 2:02'],
  [{ done: 500, total: 500, now: began + 1_000 }, '100 % · 500 of 500 · 500/s'],
  [{ done: 0, total: 0, now: began }, '100 % · 0 of 0 · 0.0/s'],
])('%j is %s', (at, text) => expect(progressText({ began, ...at })).toBe(text));
