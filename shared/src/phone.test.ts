import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizePhone } from './phone.ts';

describe('telephone numbers', () => {
  test.each([
    ['+84 938 411 165', '0938411165'],
    ['0938.411.165', '0938411165'],
    ['0084938411165', '0938411165'],
    ['84938411165', '0938411165'],
    ['8412345678', '8412345678'],
    ['(028) 3822-1234', '02838221234'],
    ['1900', null],
    ['', null],
    ['máy lẻ 12', null],
  ])('%j is %j', (value, expected) => expect(normalizePhone(value)).toBe(expected));

  test('whatever comes in, the result is digits, and normalising it again only ever keeps it or finds another prefix', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const phone = normalizePhone(value);
        expect(phone === null || /^\d{7,}$/.test(phone)).toBe(true);
      }),
    );
  });

  test('national and international spelling of a subscriber number are one', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{8}$/), (rest) => {
        expect(normalizePhone(`+84${rest}`)).toBe(normalizePhone(`0${rest}`));
        expect(normalizePhone(`0084 ${rest}`)).toBe(normalizePhone(`0${rest}`));
      }),
    );
  });
});
