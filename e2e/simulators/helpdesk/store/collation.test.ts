import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leadingNumber, likeMatcher, textKey } from './collation.ts';

describe('the database reads numbers out of texts', () => {
  it.each([
    ['2abc', 2],
    ['02', 2],
    ["1' or '1'='1", 1],
    [' 7', 7],
    ['-3x', -3],
    ['2.5', 2.5],
    ['abc', 0],
    ['', 0],
    [null, 0],
  ])('%j is %d', (text, number) => {
    expect(leadingNumber(text)).toBe(number);
  });

  it('whatever follows a number that no digit, point or exponent continues changes nothing', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), (number, rest) => {
        fc.pre(!/^[\d.e]/i.test(rest));
        expect(leadingNumber(`${number}${rest}`)).toBe(number);
      }),
    );
  });
});

describe('texts compare without case, accents and trailing blanks', () => {
  it.each([
    ['Vinamilk', 'VINAMILK  '],
    ['Cà phê', 'ca phe'],
  ])('%j equals %j', (left, right) => {
    expect(textKey(left)).toBe(textKey(right));
  });

  it('but not without leading blanks or inner ones', () => {
    expect(textKey(' a')).not.toBe(textKey('a'));
    expect(textKey('a b')).not.toBe(textKey('ab'));
  });
});

describe('LIKE', () => {
  it.each([
    ['%shop%', 'My SHOP online', true],
    ['shop%', 'My shop', false],
    ['a_c', 'abc', true],
    ['a_c', 'abbc', false],
    ['50.%', '50x', false],
  ])('%j on %j is %j', (pattern, text, expected) => {
    expect(likeMatcher(pattern)(text)).toBe(expected);
  });

  it('matches every text that is put between two percent signs', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, text, after) => {
        fc.pre(!/[%_]/.test(text));
        expect(likeMatcher(`%${text.trimEnd()}%`)(before + text + after)).toBe(true);
      }),
    );
  });
});
