import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { compareSecret } from './compare-secret.ts';

const ours = [new Secret('the-current-one'), new Secret('the-previous-one')];

test.each([
  ['the-current-one', 'current'],
  ['the-previous-one', 'previous'],
  ['the-currənt-one', 'other'],
  ['', 'unset'],
  [null, 'unset'],
])('%s: %s', (stored, state) => {
  expect(compareSecret(stored, ours)).toBe(state);
  expect(compareSecret(stored, [])).toBe(state === 'unset' ? 'unset' : 'other');
});
