import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextInTurn } from './round-robin.ts';

test.each([
  ['the first row begins', ['a', 'b', 'c'], ['a', 'b', 'c'], null, 'a'],
  ['the row after the last', ['a', 'b', 'c'], ['a', 'b', 'c'], 'a', 'b'],
  ['wrapping', ['a', 'b', 'c'], ['a', 'b', 'c'], 'c', 'a'],
  ['past those who may not', ['a', 'b', 'c'], ['a', 'c'], 'a', 'c'],
  ['from the place of somebody who may not', ['a', 'b', 'c'], ['a', 'c'], 'b', 'c'],
  ['again the same where nobody else may', ['a', 'b', 'c'], ['b'], 'b', 'b'],
  ['the first row where the last has left', ['a', 'b', 'c'], ['b', 'c'], 'gone', 'b'],
  ['in row order, whatever the order of those who may', ['a', 'b', 'c'], ['c', 'b'], 'a', 'b'],
  ['past the second row of one who stands twice', ['a', 'b', 'a', 'c'], ['a', 'b', 'c'], 'b', 'c'],
  ['only members', ['a'], ['a', 'stranger'], 'a', 'a'],
  ['nobody where nobody may', ['a', 'b'], [], 'a', null],
  ['nobody of nobody', [], ['a'], null, null],
])('%s', (_, members, eligible, last, next) => expect(nextInTurn(members, eligible, last)).toBe(next));

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const team = fc
  .tuple(fc.array(names, { minLength: 1, maxLength: 10 }), fc.integer({ min: 1, max: 6 }))
  .chain(([members, most]) =>
    fc.record({
      members: fc.constant(members),
      eligible: fc.uniqueArray(fc.constantFrom(...members), { minLength: 1, maxLength: most }),
      last: fc.option(names),
    }),
  );

test('as long as the same may, nobody gets more than one ticket more than another, at any moment', () => {
  fc.assert(
    fc.property(team, fc.integer({ min: 1, max: 50 }), ({ members, eligible, last }, tickets) => {
      const counts = new Map<string, number>(eligible.map((member) => [member, 0]));
      let cursor: string | null = last;
      for (let i = 0; i < tickets; i += 1) {
        cursor = nextInTurn(members, eligible, cursor);
        expect(eligible).toContain(cursor);
        counts.set(String(cursor), (counts.get(String(cursor)) ?? 0) + 1);
        expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('whoever comes back is reached within one lap, whoever else comes and goes', () => {
  const eligibles = fc.array(fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(names, fc.option(names), eligibles, (returned, last, others) => {
      const members = ['a', 'b', 'c', 'd', 'e', 'f'];
      let cursor: string | null = last;
      const reached = others.map((eligible) => {
        cursor = nextInTurn(members, [...eligible, returned], cursor);
        return cursor;
      });
      expect(reached).toContain(returned);
    }),
  );
});
