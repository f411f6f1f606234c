import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateOf, decimalOf, instantOf, nameOf, scalar, scalars } from './company.ts';

test.each([
  [' Tiệm Hoa Mẫu ', 'Tiệm Hoa Mẫu'],
  ['', null],
  ['  ', null],
  [null, null],
  [undefined, null],
  [false, null],
  [0, '0'],
  [15092, '15092'],
  [['15092'], '15092'],
  [['', '15092'], '15092'],
  [[], null],
  [{ VALUE: 'a', TEXT: 'b' }, 'a'],
  [{ NAME: ' n ' }, 'n'],
  [{ other: 'x' }, null],
  [{}, null],
])('scalar of %j is %j', (value, expected) => expect(scalar(value)).toBe(expected));

test.each([
  ['Tuấn &amp; Anh', 'Tuấn & Anh'],
  ['Tuấn &amp;amp; Anh', 'Tuấn &amp; Anh'],
  ['&lt;b&gt; &quot;Xinh&quot; &#039;n&#39; &apos;m&apos;', `<b> "Xinh" 'n' 'm'`],
  ['Caf&#233; &#xE9; &#x1F45F;', 'Café é 👟'],
  ['A&nbsp;B', 'A B'],
  [' &nbsp; ', null],
  ['A & B; C &nothing; D&amp E', 'A & B; C &nothing; D&amp E'],
  ['&#0; &#xD800; &#99999999;', '&#0; &#xD800; &#99999999;'],
  ['Tie\u0302\u0323m', 'Tiệm'],
  [null, null],
])('the name %j is %j: entities are decoded once', (value, expected) => expect(nameOf(value)).toBe(expected));

test('scalars keeps every value of a multiple field', () => {
  expect(scalars(['Shopee', '', 'TikTok Shop'])).toEqual(['Shopee', 'TikTok Shop']);
  expect(scalars(false)).toEqual([]);
});

describe('dates are the day in the CRM’s own offset', () => {
  test.each([
    ['2016-01-19T11:12:14+03:00', '19/01/2016'],
    ['2026-01-31T22:30:00+03:00', '31/01/2026'],
    ['2026-01-31', '31/01/2026'],
    ['chưa rõ', 'chưa rõ'],
    ['31/01/2026', '31/01/2026'],
    ['2026-13-41T00:00:00+03:00', '2026-13-41T00:00:00+03:00'],
    ['2026-02-31T00:00:00+03:00', '2026-02-31T00:00:00+03:00'],
    ['', null],
    [null, null],
  ])('%j is %j', (value, expected) => expect(dateOf(value)).toBe(expected));
});

test('the same moment in two offsets is the same instant; what cannot be read is none', () => {
  expect(instantOf('2026-01-31T22:30:00+03:00')).toBe(instantOf('2026-02-01T02:30:00+07:00'));
  expect(instantOf('chưa rõ')).toBeNull();
  expect(instantOf('2026-99-99T00:00:00+03:00')).toBeNull();
  expect(instantOf('2026-02-31T00:00:00+03:00')).toBeNull();
  expect(instantOf('2026-01-31T22:30:00')).toBe(Date.parse('2026-01-31T22:30:00Z'));
});

test.each([
  ['0E-7', '0'],
  ['580.0000000', '580'],
  ['12.3456789', '12.3457'],
  ['1.0000000', '1'],
  ['100', '100'],
  ['-0.00001', '0'],
  ['n/a', 'n/a'],
  ['', null],
  ['1e400', '1e400'],
])('decimal %j is %j', (value, expected) => expect(decimalOf(value)).toBe(expected));

test('nothing that JSON can hold makes them throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const read of [scalar, dateOf, decimalOf]) expect(['string', 'object']).toContain(typeof read(value));
      const instant = instantOf(value);
      expect(instant === null || Number.isFinite(instant)).toBe(true);
    }),
  );
});

test('nesting deeper than the stack is survived', () => {
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  for (const read of [scalar, dateOf, decimalOf, instantOf]) expect(read(deep)).toBeNull();
});
