import { expect, test } from 'vitest';
import { printLines, progressText } from './terminal.ts';

test.each([0, 1, 199, 200, 201, 1_000])(
  '%i lines are printed in their order, in few pieces and to the last',
  (count) => {
    const pieces: string[] = [];
    const lines = printLines((text) => pieces.push(text));
    const wanted = Array.from({ length: count }, (_, n) => `line ${n}`);
    for (const line of wanted) lines.print(line);
    lines.end();
    expect(pieces.join('')).toBe(wanted.map((line) => `${line}\n`).join(''));
    expect(pieces).toHaveLength(Math.ceil(count / 200));
  },
);

const began = new Date(2026, 10, 20, 2, 0).getTime();

test.each([
  [{ done: 0, total: 500, now: began }, '  0 % · 0 of 500 · 0.0/s'],
  [{ done: 100, total: 500, now: began + 100_000 }, ' 20 % · 100 of 500 · 1.0/s · done at 2:08'],
  [{ done: 30_000, total: 60_000, now: began + 60_000 }, ' 50 % · 30000 of 60000 · 500/s · done at 2:02'],
  [{ done: 500, total: 500, now: began + 1_000 }, '100 % · 500 of 500 · 500/s'],
  [{ done: 0, total: 0, now: began }, '100 % · 0 of 0 · 0.0/s'],
])('%j is %s', (at, text) => expect(progressText({ began, ...at })).toBe(text));
