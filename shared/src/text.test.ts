import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { evenText, foldText } from './text.ts';

test.each<[written: string, even: string, folded: string]>([
  ['Gốm\u200b Sứ', 'Gốm Sứ', 'gom su'],
  ['Gốm\u00ad Sứ', 'Gốm Sứ', 'gom su'],
  ['Gốm\u00a0\u00a0Sứ ', 'Gốm Sứ', 'gom su'],
  ['\ufeffGốm\tSứ', 'Gốm Sứ', 'gom su'],
  ['O’Neil', "O'Neil", "o'neil"],
  ['O´Neil', "O'Neil", "o'neil"],
  ['“Bếp” «Xinh»', '"Bếp" "Xinh"', '"bep" "xinh"'],
  ['Áo – Quần', 'Áo - Quần', 'ao - quan'],
  ['Áo — Quần', 'Áo - Quần', 'ao - quan'],
  ['3 − 2', '3 - 2', '3 - 2'],
  ['ＳＨＯＰ　３６０', 'SHOP 360', 'shop 360'],
  ['Đá Ðỏ Ɖen', 'Đá Ðỏ Ɖen', 'da do den'],
  ['Đá'.normalize('NFD'), 'Đá', 'da'],
  ['a\u202eb\u2066c', 'abc', 'abc'],
  ['｀a″', "'a''", "'a''"],
  ['a ﱞ', 'a \u064c\u0651', 'a'],
  ['한\u3164글', '한글', '한글'],
  ['❤️', '❤', '❤'],
])('%j is %j, and compared as %j', (written, even, folded) => {
  expect([evenText(written), foldText(written)]).toEqual([even, folded]);
});

test('whatever is written: even and folded once is even and folded for good, and accents and capitals say nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
      expect(evenText(evenText(text))).toBe(evenText(text));
      expect(foldText(foldText(text))).toBe(foldText(text));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aăâbcdđeêghiklmnoôơpqrstuưvxyạảấầẩẫậắằ ') }), (text) => {
      const folded = foldText(text);
      expect(folded).toMatch(/^[a-z ]*$/);
      for (const form of ['NFC', 'NFD'] as const) expect(foldText(text.normalize(form).toUpperCase())).toBe(folded);
    }),
  );
});

test('a letter with a hundred thousand accents takes no time', () => {
  expect(foldText(`a${'\u0323\u0301'.repeat(50_000)}`)).toBe('a');
}, 1_000);
