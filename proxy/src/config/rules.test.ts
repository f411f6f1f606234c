import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rules, ruleExamples, rulesSchema } from './rules.ts';
import { noSetting } from './settings-catalogue.ts';

test('every rule has an example that can be used, the one in the documents', () => {
  expect(Object.keys(ruleExamples)).toEqual(Object.keys(Rules.shape));
  expect(Rules.safeParse(ruleExamples)).toMatchObject({ success: true });
  const documents = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  const [, shown = ''] = /by an example:\n\n```json\n([^`]*)```/.exec(documents) ?? [];
  expect(JSON.parse(shown)).toEqual(ruleExamples);
});

test('the schema for editors knows every rule, its example, and nothing else', () => {
  expect(rulesSchema()).toMatchObject({
    additionalProperties: false,
    properties: {
      claims: { enum: ['accept', 'hold'], default: 'hold', examples: ['accept'] },
      trust_contact_addresses: { type: 'boolean', default: false },
      teams: { type: 'object' },
    },
  });
});

test('a claim is held and addresses of contacts vouch for nobody, as long as nobody says otherwise', () => {
  expect(Rules.parse({})).toMatchObject({ claims: 'hold', trust_contact_addresses: false });
  const said = { claims: 'accept', trust_contact_addresses: true };
  expect(Rules.parse(said)).toMatchObject(said);
});

test.each([
  ['claims', 'route', 'expected accept or hold: instead of route write hold'],
  ['claims', 'propose', 'expected accept or hold: instead of propose write hold'],
  ['claims', 'trust', 'expected accept or hold'],
  ['claims', null, 'expected accept or hold'],
  ['trust_contact_addresses', 'yes', 'Invalid input: expected boolean, received string'],
])('%s may not be %j: %s', (rule, value, message) => {
  const issues = Rules.safeParse({ [rule]: value }).error?.issues;
  expect(issues).toMatchObject([{ path: [rule], message }]);
});

test.each([
  ['Claims', 'Did you mean claims?'],
  ['CRM_TIMEOUT', 'Expected one of CRM_ENABLED'],
  ['CRM_TIMEOUT_SECOND', 'Did you mean CRM_TIMEOUT_SECONDS?'],
  ['medium_segment', 'Did you mean medium_segments?'],
  ['PUBLIC_URL', "PUBLIC_URL is the environment's alone"],
  ['RETENTON_DAYS', "Did you mean RETENTION_DAYS? It is the environment's alone"],
  ['nonsense', 'Expected one of'],
])('%s is no setting: %s', (text, sentence) => {
  expect(noSetting(text)).toContain(sentence);
});
