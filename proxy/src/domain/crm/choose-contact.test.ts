import { expect, test } from 'vitest';
import { chooseContact } from './choose-contact.ts';

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
