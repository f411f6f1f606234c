import { expect, test } from 'vitest';
import { printLines, progressText } from './terminal.ts';

test('however many lines are printed, each is there once, in its order', () => {
  let printed = '';
  const lines = printLines((text) => (printed += text));
  const wanted = Array.from({ length: 401 }, (_, n) => `line ${n}`);
  for (const line of wanted) lines.print(line);
  lines.end();
  expect(printed).toBe(wanted.map((line) => `${line}\n`).join(''));
});

test.each([
  [0, 500, '  0 % · 0 of 500'],
  [499, 500, ' 99 % · 499 of 500'],
  [0, 0, '100 % · 0 of 0'],
])('%i of %i is %s', (done, total, text) => expect(progressText(done, total)).toBe(text));
