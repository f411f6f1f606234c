import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSealer } from './aes-gcm.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const [old, current] = [keyOf(1), keyOf(2)];

test('what is sealed opens again in its place, whatever it is, and is never sealed the same way twice', () => {
  const sealer = createSealer([current]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, place) => {
      fc.pre(text.isWellFormed());
      const sealed = sealer.seal(text, place);
      return sealer.open(sealed, place) === text && sealer.seal(text, place) !== sealed;
    }),
  );
});

test('it opens in no other place, under no other key, and not once it was changed', () => {
  const sealer = createSealer([current]);
  const sealed = sealer.seal('a secret', 'here');
  expect(sealer.open(sealed, 'there')).toBeNull();
  expect(createSealer([old]).open(sealed, 'here')).toBeNull();
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    // The last sign of base64 has bits that stand for nothing.
    if (at < sealed.length - 1) expect(sealer.open(changed, 'here'), changed).toBeNull();
  }
  for (const broken of ['', 'v1..', 'v1.00000000.AAAA', 'a secret']) expect(sealer.open(broken, 'here')).toBeNull();
});

test('the previous key opens and the current one seals', () => {
  const before = createSealer([old]).seal('a secret', 'here');
  const both = createSealer([current, old]);
  expect(both.open(before, 'here')).toBe('a secret');
  const again = both.seal('a secret', 'here');
  expect(createSealer([old]).open(again, 'here')).toBeNull();
  expect(createSealer([current]).open(again, 'here')).toBe('a secret');
});
