import { expect, test } from 'vitest';
import { operatorTexts } from '#i18n/texts.ts';
import { triggerOf } from './trigger.ts';

const { routing } = operatorTexts('en');
const assignment = { state: 'assigned' as const, agent: 'an', candidates: [] };

test.each([
  ['a webhook', { cause: 'webhook', found_by: 'webhook' }, `${routing.trigger.webhook}.`],
  ['the sweep', { cause: 'sweep', found_by: 'sweep' }, `${routing.trigger.sweep}.`],
  [
    'the script, for a ticket whose webhook never came',
    { cause: 'before_insert', found_by: 'sweep' },
    `${routing.trigger.before_insert}; ${routing.foundBy.sweep}.`,
  ],
  ['a meta.json that can be read again', { cause: 'repair', repairs: 'meta_json' }, `${routing.repaired.meta_json}.`],
  ['an older repair, of which nobody knows what', { cause: 'repair' }, `${routing.trigger.repair}.`],
  ['a claim judged again', { cause: 'confirmed' }, `${routing.trigger.confirmed}.`],
] as const)('a decision says what triggered it: %s', (_, decision, sentence) => {
  expect(triggerOf({ assignment, ...decision }, routing)).toBe(sentence);
});

test('a ticket that waited for an agent says so', () => {
  const waited = { ...assignment, waited: true };
  expect(triggerOf({ cause: 'webhook', assignment: waited }, routing)).toBe(
    `${routing.trigger.webhook}; ${routing.waited}.`,
  );
});
