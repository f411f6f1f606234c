import { expect, test } from 'vitest';
import { printLines } from './terminal.ts';

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
