import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseRules, Rules, ruleExamples } from './rules.ts';

test('every rule has an example that can be used, the one that operators have', () => {
  expect(Object.keys(ruleExamples)).toEqual(Object.keys(Rules.shape));
  expect(Rules.safeParse(ruleExamples)).toMatchObject({ success: true });
  const file = readFileSync(new URL('../../ops/rules.example.json', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toEqual(ruleExamples);
});

test.each([
  ['{ "claims": "hold",\n  "teams": { "sme": "A" \n', 'expected JSON; it breaks in line'],
  ['{ "claims": "hold", "claims": "accept" }', 'claims: stands twice'],
  ['{ "teams": { "sme": "A", "sme": "B" } }', 'sme: stands twice'],
  ['{ "medium_segments": "Medium" }', 'medium_segments: expected a list (such as ["Medium","Mid-Market"])'],
  [
    '{ "teams": { "sme": 5 } }',
    'teams.sme: expected a text (such as {"medium_scale":"Key Accounts","sme":"First Line"})',
  ],
  ['{ "claim": "hold" }', 'the file: there is no "claim"'],
  ['[]', 'the file: expected an object'],
])('%s is refused in words: %s', (text, problem) => {
  expect(parseRules(text).problems).toEqual([expect.stringContaining(problem)]);
});

test('a key may stand in two objects, and in a text', () => {
  const text = '{ "teams": { "sme": "sme\\": " }, "crm_fields": { "segments": { "1": "SME", "2": "SME" } } }';
  expect(parseRules(text).problems).toEqual([]);
});
