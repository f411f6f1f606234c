import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDay, termElapsed } from './plan.ts';

const day = Date.UTC(2026, 6, 21);

test('half of the term has elapsed in the middle of it', () => {
  expect(termElapsed('20/01/2026', '20/01/2027', day)).toBeCloseTo(0.4986, 3);
});

test.each([
  ['before it begins', '01/01/2027', '01/01/2028', 0],
  ['long after it ended', '20/01/2016', '20/01/2020', 1],
])('%s the share stays within its bounds', (_, signed, expiry, share) => {
  expect(termElapsed(signed, expiry, day)).toBe(share);
});

test.each([
  [null, '20/01/2027'],
  ['20/01/2026', null],
  ['2026-01-20', '20/01/2027'],
  ['31/02/2026', '20/01/2027'],
  ['20/01/0026', '20/01/2027'],
  ['20/01/2027', '20/01/2026'],
  ['20/01/2026', '20/01/2026'],
])('there is no bar for %j to %j', (signed, expiry) => expect(termElapsed(signed, expiry, day)).toBeNull());

test('a text is a date only if formatting it gives the same text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d\d\/\d\d\/\d{4}$/)), (text) => {
      const at = parseDay(text);
      if (at === null) return true;
      const [year, month, date] = new Date(at).toISOString().slice(0, 10).split('-');
      return text.trim() === `${date}/${month}/${year}`;
    }),
  );
});
