import { expect, test } from 'vitest';
import { chooseContact } from './lookup.ts';

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
  ['by e-mail, in any case', ['CLERK@x.example '], '2', 'email', 'clerk@x.example', '0900000002'],
  ['by a later address', ['nobody@x.example', 'owner@x.example'], '1', 'email', 'owner@x.example', '0900000001'],
  ['else the first', [], '1', 'first', 'owner@x.example', '0900000001'],
])('%s', (_, emails, id, chosen_by, email, phone) => {
  expect(chooseContact([owner, clerk], emails)).toMatchObject({ id, chosen_by, email, phone });
});

test('an empty address matches nobody; without contacts there is none', () => {
  const silent = person('3', [''], ['']);
  expect(chooseContact([silent], [''])).toMatchObject({ chosen_by: 'first' });
  expect(chooseContact([], ['a@x.example'])).toBeNull();
});
