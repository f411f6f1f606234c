import { expect, test } from 'vitest';
import { isDeskOwner } from './desk-owner.ts';

test.each([
  ['mail', 'Administrator', 'vy@shop.example', true],
  ['the sender himself', 'Vy@Shop.example ', 'vy@shop.example', false],
  ['somebody else, who may be an agent', 'an@desk.example', 'vy@shop.example', null],
  ['nobody named as sender', 'an@desk.example', null, null],
])('%s', (_, owner, raisedBy, expected) => {
  expect(isDeskOwner({ owner, raisedBy })).toBe(expected);
});
