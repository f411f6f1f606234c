import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { leaderOf, namedCompanies } from './companies.ts';

const weighed = (...levels: ('claimed' | 'likely' | 'confirmed' | null)[]) =>
  levels.map((level, at) => ({ at, isRejected: false, trust: level && { level, evidence: [] } }));

test.each([
  [['claimed', 'likely'], 1],
  [['likely', 'confirmed', 'confirmed'], 1],
  [['claimed', 'claimed'], 0],
  [['confirmed', 'likely'], 0],
  [[null, 'claimed'], 0],
  [['claimed', null, 'likely'], 2],
] as const)('of %j number %i leads', (levels, at) => expect(leaderOf(weighed(...levels))?.at).toBe(at));

test('nothing leads where there is nothing', () => expect(leaderOf([])).toBeUndefined());

test('a rejected one never leads, whoever vouches for it', () => {
  const [claimed, confirmed] = weighed('claimed', 'confirmed');
  if (!claimed || !confirmed) throw new Error('two');
  expect(leaderOf([{ ...confirmed, isRejected: true }, claimed])?.at).toBe(0);
  expect(leaderOf([{ ...confirmed, isRejected: true }])).toBeUndefined();
});

test.each([
  ['what was found', ['matched', 'not_found', 'matched'], [0, 2], 2],
  ['nothing below an unanswered look-up', ['matched', null, 'matched'], [0], 1],
  ['the last one, if nothing was found', ['not_found', 'not_found'], [], 1],
  ['the unanswered one, before anything else', ['not_found', null, 'not_found'], [], 1],
  ['none', [], [], undefined],
] as const)('companies: %s', (_, outcomes, companies, otherwise) => {
  const lookups = outcomes.map((outcome, at) => ({ at, looked: { outcome } }));
  const named = namedCompanies(lookups);
  expect(named.companies.map(({ at }) => at)).toEqual(companies);
  expect(named.otherwise?.at).toBe(otherwise);
});

test('no company is said to exist only when every look-up answered, empty (docs/decisions.md 2)', () => {
  const outcome = fc.constantFrom('matched', 'not_found', null);
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 1, maxLength: 6 }), (outcomes) => {
      const { companies, otherwise } = namedCompanies(outcomes.map((answer) => ({ looked: { outcome: answer } })));
      const isNotFound = companies.length === 0 && otherwise?.looked.outcome === 'not_found';
      return isNotFound === outcomes.every((answer) => answer === 'not_found');
    }),
  );
});
