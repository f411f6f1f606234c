import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidingOf, leaderOf, namedCompanies } from './companies.ts';

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

test('no company is said to exist only when every look-up answered, empty (docs/decisions.md 3)', () => {
  const outcome = fc.constantFrom('matched', 'not_found', null);
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 1, maxLength: 6 }), (outcomes) => {
      const { companies, otherwise } = namedCompanies(outcomes.map((answer) => ({ looked: { outcome: answer } })));
      const isNotFound = companies.length === 0 && otherwise?.looked.outcome === 'not_found';
      return isNotFound === outcomes.every((answer) => answer === 'not_found');
    }),
  );
});

const outcomes = fc.constantFrom('matched' as const, 'not_found' as const, null);
const candidates = fc.array(
  fc.record({
    source: fc.constantFrom('ticket' as const, 'customer' as const, 'customer_name' as const),
    outcome: outcomes,
    level: fc.constantFrom('claimed' as const, 'likely' as const, 'confirmed' as const),
    isRejected: fc.boolean(),
  }),
  { maxLength: 5 },
);

test('routing goes by the company that the panel shows, and by the helpdesk’s customer only where the CRM has none', () => {
  fc.assert(
    fc.property(candidates, (made) => {
      const all = made.map(({ source, outcome, level, isRejected }) => {
        return { candidate: { source }, looked: { outcome }, trust: { level, evidence: [] }, isRejected };
      });
      const standing = all.filter(({ isRejected }) => !isRejected);
      const { companies, otherwise } = namedCompanies(standing);
      const deciding = decidingOf(all);
      if (companies.length > 0) return deciding === leaderOf(companies);
      if (otherwise?.looked.outcome === null) return deciding === otherwise;
      return deciding === (standing.find(({ candidate }) => candidate.source !== 'ticket') ?? standing[0]);
    }),
  );
});

test('where no CRM is asked the best vouched for decides', () => {
  const [claimed, likely] = weighed('claimed', 'likely').map((one) => ({
    ...one,
    candidate: { source: 'ticket' as const },
  }));
  if (!claimed || !likely) throw new Error('two');
  expect(
    decidingOf([
      { ...claimed, looked: null },
      { ...likely, looked: null },
    ])?.at,
  ).toBe(1);
});
