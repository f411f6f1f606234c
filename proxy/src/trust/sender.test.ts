import { expect, test } from 'vitest';
import { senderAddress, telltaleDomain } from './evidence.ts';

test.each([
  [' Lan@Shop.example ', 'lan@shop.example'],
  ['', null],
  ['  ', null],
  [null, null],
  ['Guest', null],
])('the sender of a ticket raised by %j is %j', (raisedBy, expected) => {
  expect(senderAddress({ raisedBy })).toBe(expected);
});

test.each([
  ['lan@shop.example', 'shop.example'],
  ['"a@b"@shop.example', 'shop.example'],
  ['lan@haravan.com', 'haravan.com'],
  ['lan@mailinator.com', null],
  ['lan@gmail.com', null],
  ['lan@yahoo.com.vn', null],
  ['lan@vnn.vn', null],
  ['lan', null],
  ['lan@', null],
])('the domain of %s that says whose address it is: %j', (address, expected) => {
  expect(telltaleDomain(address)).toBe(expected);
});
