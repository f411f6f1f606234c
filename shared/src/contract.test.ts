import { expect, test } from 'vitest';
import { contract } from './contract.ts';

const { input } = contract.customerProfile;

test.each([
  ['1', true],
  ['true', true],
  ['YES', true],
  ['on', true],
  [1, true],
  [true, true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['Off', false],
  ['', false],
  [0, false],
  [undefined, false],
])('refresh=%j reads as %j', (value, expected) => {
  expect(input.parse({ ticket: '2', refresh: value })).toEqual({ ticket: '2', refresh: expected, known: false });
});

test('an unusable switch names the field and what would be right', () => {
  const result = input.safeParse({ ticket: '2', refresh: 'maybe' });
  expect(result.error?.issues).toMatchObject([{ path: ['refresh'], message: expect.stringContaining('1 or 0') }]);
});

test.each(['', 'x'.repeat(141), 'a\u0000b', undefined])('ticket %j is refused', (ticket) => {
  expect(input.safeParse({ ticket }).success).toBe(false);
});

test.each(['2', '0035', "1' or '1'='1", 'ĐƠN-01', '2abc'])('ticket %j passes through unchanged', (ticket) => {
  expect(input.parse({ ticket }).ticket).toBe(ticket);
});
