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

test.each([
  [0, 500, '  0 % · 0 of 500'],
  [499, 500, ' 99 % · 499 of 500'],
  [0, 0, '100 % · 0 of 0'],
])('%i of %i is %s', (done, total, text) => expect(progressText(done, total)).toBe(text));
