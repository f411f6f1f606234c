import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formerPhone, normalizePhone, phonesIn } from './phone.ts';

describe('telephone numbers', () => {
  test.each([
    ['+84 938 411 165', '0938411165'],
    ['0938.411.165', '0938411165'],
    ['0084938411165', '0938411165'],
    ['84938411165', '0938411165'],
    ['8412345678', '8412345678'],
    ['(028) 3822-1234', '02838221234'],
    ['1900', null],
    ['123456', null],
    ['1234567', '1234567'],
    ['0121234567', '0121234567'],
    ['1008 4912 345 678', '10084912345678'],
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

  test.each<[written: string, numbers: string[]]>([
    ['+84 (0)912 345 678', ['0912345678']],
    ['(+84) 912-345-678', ['0912345678']],
    ['0912 345 678 / 0987 654 321', ['0912345678', '0987654321']],
    ['0912345678/0987654321', ['0912345678', '0987654321']],
    ['0912345678 - 0987654321', ['0912345678', '0987654321']],
    ['0912345678;0987654321', ['0912345678', '0987654321']],
    ['0912 345 678 0987 654 321', ['0912345678', '0987654321']],
    ['+84 912 345 678 +84 987 654 321', ['0912345678', '0987654321']],
    ['Lan: 0912.345.678, Hà: 0987.654.321', ['0912345678', '0987654321']],
    ['0912345678 (Lan)\n+84912345678', ['0912345678']],
    ['0912\u200b345678', ['0912345678']],
    ['０９１２３４５６７８', ['0912345678']],
    ['0123 456 7890', ['0834567890']],
    ['+84 169 123 4567', ['0391234567']],
    ['028/38221234', ['02838221234']],
    ['028 3822 0123', ['02838220123']],
    ['028 3822 1234 ext 12', ['02838221234']],
    ['(028) 3822 1234 máy lẻ 12', ['02838221234']],
    ['(028) 3822 1234 (nhánh 102)', ['02838221234']],
    ['02838221234#12', ['02838221234']],
    ['0912345678;12', ['0912345678']],
    ['+1 555 123 4567 x99', ['15551234567']],
    ['09123456780987654321', ['09123456780987654321']],
    ['chưa có', []],
  ])('%j are %j', (written, numbers) => expect(phonesIn(written)).toEqual(numbers));

  test('a number of today and the one that it was until 2018 are one', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^0(?:3[2-9]|5[689]|7[06789]|8[1-5])\d{7}$/), (national) => {
        expect(normalizePhone(formerPhone(national) ?? '')).toBe(national);
      }),
    );
    for (const other of ['0912345678', '0861234567', '02838221234', '0551234567'])
      expect(formerPhone(other)).toBeNull();
  });

  test('several numbers with anything between are all read', () => {
    const number = fc.stringMatching(/^0[3-9]\d{8}$/);
    const between = fc.constantFrom(', ', ' / ', '/', ';', ' - ', '\n', ' hoặc ', ' & ', '  ');
    fc.assert(
      fc.property(fc.uniqueArray(number, { minLength: 1, maxLength: 4 }), between, (numbers, sign) => {
        expect(phonesIn(numbers.join(sign))).toEqual(numbers);
      }),
    );
  });

  test('a long text takes no time', () => {
    for (const piece of [' ', '0', '0 ', 'x1', '(', '- ']) phonesIn(piece.repeat(100_000));
  });
});
