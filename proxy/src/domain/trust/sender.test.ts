import { expect, test } from 'vitest';
import { senderAddress, telltaleDomain } from './sender.ts';

test.each([
  [' Lan@Shop.example ', 'lan@shop.example'],
  ['', null],
  ['  ', null],
  [null, null],
])('the sender of a ticket raised by %j is %j', (raisedBy, expected) => {
  expect(senderAddress({ raisedBy })).toBe(expected);
});

test.each([
  ['lan@shop.example', 'shop.example'],
  ['"a@b"@shop.example', 'shop.example'],
  ['lan@web.example', null],
  ['lan', null],
  ['lan@', null],
])('the domain of %s that says whose address it is: %j', (address, expected) => {
  expect(telltaleDomain(address, (domain) => domain === 'web.example')).toBe(expected);
});
