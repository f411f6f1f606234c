import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseContact, normalizePhone } from './choose-contact.ts';

const person = (id: string, emails: string[], phones: string[]) => ({
  id,
  name: id,
  post: null,
  emails,
  phones,
  url: null,
});
const owner = person('1', ['owner@x.example'], ['0900000001', '+84 911 000 001']);
const clerk = person('2', ['a@x.example', 'clerk@x.example'], ['0900000002']);

test.each([
  [
    'by e-mail, in any case, before telephone',
    { emails: ['CLERK@x.example '], phones: ['0900000001'] },
    '2',
    'email',
    'clerk@x.example',
    '0900000002',
  ],
  [
    'by a later e-mail key',
    { emails: ['nobody@x.example', 'owner@x.example'], phones: [] },
    '1',
    'email',
    'owner@x.example',
    '0900000001',
  ],
  [
    'by telephone in another spelling',
    { emails: ['nobody@x.example'], phones: ['0911000001'] },
    '1',
    'phone',
    'owner@x.example',
    '+84 911 000 001',
  ],
  ['else the first', { emails: [], phones: ['12', ''] }, '1', 'first', 'owner@x.example', '0900000001'],
])('%s', (_, ticket, id, chosen_by, email, phone) => {
  expect(chooseContact([owner, clerk], ticket)).toMatchObject({ id, chosen_by, email, phone });
});

test('an empty key matches nobody; without contacts there is none', () => {
  const silent = person('3', [''], ['']);
  expect(chooseContact([silent], { emails: [''], phones: [''] })).toMatchObject({ chosen_by: 'first' });
  expect(chooseContact([], { emails: ['a@x.example'], phones: [] })).toBeNull();
});

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
