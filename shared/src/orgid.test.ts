import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOrgId } from './orgid.ts';

test.each([
  ['1000069001', '1000069001'],
  [' 200000376001 ', '200000376001'],
  [1000069001, '1000069001'],
  ['0012', '0012'],
  ['2000\u200b00376001', '200000376001'],
  ['\u2060200000376001\ufeff', '200000376001'],
])('%j is an org id', (value, expected) => expect(parseOrgId(value)).toBe(expected));

test.each([
  '',
  ' ',
  '0',
  0,
  '12a',
  '1.5',
  1.5,
  -1,
  1e21,
  '123456789012345678901',
  '1000069001.myplatform.example',
  null,
  undefined,
  true,
  {},
  ['1'],
  '１２',
])('%j is none', (value) => expect(parseOrgId(value)).toBeNull());

test('what it accepts is 1 to 20 digits, whatever comes in', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const id = parseOrgId(value);
      return id === null || /^\d{1,20}$/.test(id);
    }),
  );
});
