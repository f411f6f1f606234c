import fc from 'fast-check';

const surrogates = { from: 0xd800, count: 0x800 };
const highest = 0x10ffff;

/**
 * Any character of Unicode, as the unit of `fc.string`. The same as its own unit "binary", which in every process first
 * makes a table of all million of them.
 */
export const anyCharacter = fc.integer({ min: 0, max: highest - surrogates.count }).map(
  (nth) => String.fromCodePoint(nth < surrogates.from ? nth : nth + surrogates.count),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character');
    return code < surrogates.from ? code : code - surrogates.count;
  },
);
