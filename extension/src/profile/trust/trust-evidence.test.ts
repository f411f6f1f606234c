import { TrustEvidence } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { evidenceSentences } from './trust-evidence.ts';

test.each(['en', 'vi'] as const)(
  'every kind of evidence reads as a sentence, also without its details (%s)',
  (language) => {
    for (const code of TrustEvidence.shape.code.options) {
      const sentences = evidenceSentences(
        [{ code }, { code, value: 'x@y.example', field: 'custom_orgid' }],
        textsFor(language),
      );
      expect(sentences).toHaveLength(2);
      for (const sentence of sentences) expect(sentence).toMatch(/^\S.*\.$/s);
      expect(sentences.join(' ')).not.toMatch(/undefined|null|custom_| {2}/);
    }
  },
);

test('an unknown field is shown by its own name, even if it is named like an object’s member', () => {
  const [a, b] = evidenceSentences(
    [
      { code: 'value_on_ticket', field: 'custom_shop_code' },
      { code: 'value_on_ticket', field: 'constructor' },
    ],
    textsFor('en'),
  );
  expect(a).toContain('custom_shop_code');
  expect(b).toContain('(constructor)');
});

test('a preliminary level is never shown as the result', () => {
  const claimed = { level: 'claimed' as const, evidence: [] };
  expect(shownTrust(sampleProfile({ pending: ['lookup_trust'], bitrix: { lookup_trust: claimed } }))).toBe('checking');
  expect(shownTrust(sampleProfile({ pending: ['haravan'], bitrix: { lookup_trust: claimed } }))).toBe('claimed');
});

test('a company without a trust level is not confirmed, and without a company there is no level', () => {
  expect(shownTrust(sampleProfile({ bitrix: { lookup_trust: null } }))).toBe('unknown');
  expect(shownTrust(sampleProfile({ bitrix: { company: null } }))).toBeNull();
});
