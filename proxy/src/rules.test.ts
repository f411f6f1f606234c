import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rules, ruleExamples } from './rules.ts';

test('every rule has an example that can be used, the one in the documents', () => {
  expect(Object.keys(ruleExamples)).toEqual(Object.keys(Rules.shape));
  expect(Rules.safeParse(ruleExamples)).toMatchObject({ success: true });
  const documents = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const [, shown = ''] = /by an example:\n\n```json\n([^`]*)```/.exec(documents) ?? [];
  expect(JSON.parse(shown)).toEqual(ruleExamples);
});
