import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideLookup, type Known } from './decide-lookup.ts';

const found = { kind: 'found', company: 'c' } as const;
const empty = { kind: 'empty' } as const;
const failed = { kind: 'failed' } as const;

test.each<[string, (Known<string> | undefined)[], object]>([
  ['the first that is found wins', [found, found], { outcome: 'matched', at: 0 }],
  ['a lower one counts when the higher answered', [empty, found], { outcome: 'matched', at: 1 }],
  ['a lower one does not count when the higher failed', [failed, found], { outcome: 'undecided', at: 0 }],
  ['a lower one does not count when the higher was not asked', [undefined, found], { outcome: 'undecided', at: 0 }],
  ['nothing found names the last one tried', [empty, empty], { outcome: 'not_found', at: 1 }],
  ['a failure anywhere is never "not found"', [empty, failed], { outcome: 'undecided', at: 1 }],
])('%s', (_, answers, expected) => {
  const known = new Map(answers.flatMap((a, i) => (a ? [[i, a] as const] : [])));
  expect(decideLookup([0, ...answers.keys().drop(1)], known)).toMatchObject(expected);
});

test('"not found" is said only when every look-up answered, empty', () => {
  const answer = fc.constantFrom<Known<string> | undefined>(found, empty, failed, undefined);
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), (answers) => {
      const known = new Map(answers.flatMap((a, i) => (a ? [[i, a] as const] : [])));
      const { outcome } = decideLookup([0, ...answers.keys().drop(1)], known);
      return (outcome === 'not_found') === answers.every((a) => a?.kind === 'empty');
    }),
  );
});
