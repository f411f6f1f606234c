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
  // As spreadsheets, number fields and keyboards write them.
  ['200000376735.0', '200000376735'],
  ['470000002.0000000', '470000002'],
  ['470000002,00', '470000002'],
  ['200.000.376.735', '200000376735'],
  ['200,000,376,735', '200000376735'],
  ['200 000 376 735', '200000376735'],
  ['200\u00a0000\u00a0376\u00a0735', '200000376735'],
  ['200\u202f000\u202f376\u202f735', '200000376735'],
  ["200'000'376'735", '200000376735'],
  ['200.000.376.735,00', '200000376735'],
  ['1.000.069', '1000069'],
  ['１２', '12'],
  ['２０００００３７６７３５', '200000376735'],
  ['1.000.000', '1000000'],
  ['1.234.567.000', '1234567000'],
  ['1.234.567,000', '1234567'],
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
  2 ** 53,
  '00',
  '123456789012345678901',
  '1000069001.myplatform.example',
  null,
  undefined,
  true,
  {},
  ['1'],
  // A part of a number could be meant.
  '200000376735.5',
  '200000376735.05',
  '1.000',
  '1,000',
  '12.000',
  '200.000.376,735',
  '200.00.376.735',
  '2000.000.376',
  '2.00000376735E+11',
  '090.123.4567',
  '090.123.456',
  '1000069001 1000069002',
  '192.168.1.10',
  '.0',
  '0.0',
  '²00',
  '١٢',
])('%j is none', (value) => expect(parseOrgId(value)).toBeNull());

test('however it is written, it is the same', () => {
  const id = fc.bigInt({ min: 1_000_000n, max: 10n ** 15n }).map(String);
  const ways: ((digits: string) => string)[] = [
    (digits) => `${digits}.0`,
    (digits) => ` ${digits},000000000 `,
    (digits) => digits.replace(/\B(?=(\d{3})+$)/g, '.'),
    (digits) => digits.replace(/\B(?=(\d{3})+$)/g, '\u00a0'),
    (digits) => digits.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    (digits) => [...digits].join('\u200b'),
  ];
  fc.assert(
    fc.property(id, fc.constantFrom(...ways), (digits, written) => {
      expect(parseOrgId(written(digits))).toBe(digits);
    }),
  );
});

test('what it accepts is 1 to 20 digits, whatever comes in', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const id = parseOrgId(value);
      return id === null || /^\d{1,20}$/.test(id);
    }),
  );
});
