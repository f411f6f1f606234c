import { expect, test } from 'vitest';
import { progressText } from './terminal.ts';

test.each([
  [0, 500, '  0 % · 0 of 500'],
  [499, 500, ' 99 % · 499 of 500'],
  [0, 0, '100 % · 0 of 0'],
])('%i of %i is %s', (done, total, text) => expect(progressText(done, total)).toBe(text));
