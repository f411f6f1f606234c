import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { personName } from './person-name.ts';

test.each([
  ['Mẫu Nguyễn', 'Nguyễn Mẫu'],
  ['Thị  Mẫu Nguyễn', 'Nguyễn Thị Mẫu'],
  ['Nguyễn Thị Mẫu', 'Nguyễn Thị Mẫu'],
  ['An Nguyen', 'Nguyen An'],
  // As Bitrix24 puts it together: given name, then family and middle name.
  ['Khải Trần Quang', 'Trần Quang Khải'],
  ['Vũ Trần Bình', 'Vũ Trần Bình'],
  ['Cầm Âu Dương', 'Cầm Âu Dương'],
  ['Lê Nguyễn', 'Lê Nguyễn'],
  // Given names that are family names too say nothing.
  ['Lê Hoàng Vũ', 'Lê Hoàng Vũ'],
  ['Thanh Mai', 'Thanh Mai'],
  ['Anna Lee', 'Anna Lee'],
  ['Nguyễn', 'Nguyễn'],
  ['', ''],
  ['متجر الشاي', 'متجر الشاي'],
])('%j is shown as %j', (name, shown) => expect(personName(name)).toBe(shown));

test('no word is lost or added, and the order is settled at once', () => {
  const word = fc.constantFrom('Nguyễn', 'Trần', 'Thị', 'An', 'Mai', 'Anna', '👟');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const shown = personName(words.join(' '));
      expect(shown.split(' ').toSorted()).toEqual(words.length === 0 ? [''] : words.toSorted());
      expect(personName(shown)).toBe(shown);
    }),
  );
});
