import { type LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { fieldLabel, trustAdvice, trustReason, trustWords } from './trust-reason.ts';

const en = textsFor('en');
const onTicket: TrustEvidence = { code: 'value_on_ticket', field: 'custom_orgid' };
const onCustomer: TrustEvidence = { code: 'value_on_customer', field: 'custom_platform_orgid' };
const because = (level: LookupTrust['level'], code: TrustEvidence['code'], place = onTicket): LookupTrust => ({
  level,
  evidence: [place, { code, value: 'x@y.example' }],
});

test.each(['en', 'vi'] as const)('every reason reads as one sentence, also without its details (%s)', (language) => {
  const t = textsFor(language);
  const said = TrustEvidence.shape.code.options.flatMap((code) =>
    [{ code }, { code, value: 'x@y.example', field: 'custom_orgid' }].map((one) =>
      trustReason('claimed', { level: 'claimed', evidence: [one] }, t),
    ),
  );
  for (const sentence of said) expect(sentence).toMatch(/^\S[^.]*(?:\.[a-z][^.]*)*\.$/s);
  expect(said.join(' ')).not.toMatch(/undefined|null|custom_| {2}/);
});

test.each<[LookupTrust, string, string]>([
  [because('confirmed', 'signed_in_email_of_company'), 'Verified', 'The sender signed in as x@y.example'],
  [because('confirmed', 'linked_by_agent'), 'Verified', 'x@y.example confirmed this with Sync customer'],
  [because('confirmed', 'signed_in_known_to_agent'), 'Verified', 'x@y.example confirmed their address'],
  [because('likely', 'sender_email_of_company'), 'Probably them: address not verified', 'The CRM lists the sender’s'],
  [because('likely', 'sender_known_to_agent'), 'Probably them: address not verified', 'on an earlier ticket'],
  [because('likely', 'entered_by_agent'), 'Probably them: entered by x@y.example', 'made this ticket with this Org ID'],
  [because('claimed', 'sender_changed'), 'Not verified', 'Somebody put x@y.example in the sender’s place'],
  [because('claimed', 'made_by_other'), 'Not verified', 'Another account, x@y.example, made this ticket'],
  [because('claimed', 'contact_of_other'), 'Not verified', 'Another account, x@y.example, reads this ticket by its'],
  [because('claimed', 'split_unknown'), 'Not verified', 'split from another one'],
  [because('claimed', 'sender_not_of_company'), 'Not verified', 'Only the sender says so'],
])('each level has its words and its one reason: %j', (trust, words, reason) => {
  expect(trustWords(trust.level, trust, en)).toBe(words);
  expect(trustReason(trust.level, trust, en)).toContain(reason);
});

test('that only the sender says so is said only of what a sender can write, and where nothing else is known', () => {
  const said = TrustEvidence.shape.code.options.flatMap((code) =>
    [onTicket, onCustomer].map((place) => trustReason('claimed', because('claimed', code, place), en)),
  );
  expect(said.filter((sentence) => sentence?.includes('Only the sender'))).toHaveLength(1);
  const typed = trustReason('claimed', because('claimed', 'sender_not_of_company', onCustomer), en);
  expect(typed).toBe('The CRM does not list x@y.example for this company.');
  expect(trustReason('claimed', { level: 'claimed', evidence: [onTicket] }, en)).toBe(en.trust.noReason);
});

test('where somebody else reads the ticket, the advice says what to do about that', () => {
  const advice = (code: TrustEvidence['code']) => trustAdvice('claimed', because('claimed', code), en);
  expect(advice('contact_of_other')).toContain('Correct the ticket’s contact, or open a ticket for the true sender');
  expect(advice('made_by_other')).toContain('Open a ticket for the true sender');
  expect(advice('sender_not_of_company')).toBe(en.trust.advice.claimed);
  expect(trustAdvice('confirmed', because('confirmed', 'linked_by_agent'), en)).toBeNull();
});

test('an unknown field is shown by its own name, even if it is named like an object’s member', () => {
  expect(fieldLabel('custom_shop_code', en)).toBe('custom_shop_code');
  expect(fieldLabel('constructor', en)).toBe('constructor');
});

test('a preliminary level is never shown as the result', () => {
  const claimed = { level: 'claimed' as const, evidence: [] };
  expect(shownTrust(sampleProfile({ pending: ['lookup_trust'], bitrix: { lookup_trust: claimed } }))).toBe('checking');
  expect(shownTrust(sampleProfile({ pending: ['haravan'], bitrix: { lookup_trust: claimed } }))).toBe('claimed');
  expect(trustReason('checking', claimed, en)).toBeNull();
});

test('a company without a trust level is not verified, and without a company there is no level', () => {
  const unknown = shownTrust(sampleProfile({ bitrix: { lookup_trust: null } }));
  expect(unknown && [trustWords(unknown, null, en), trustReason(unknown, null, en)]).toEqual([
    'Not verified',
    en.trust.noResult,
  ]);
  expect(shownTrust(sampleProfile({ bitrix: { company: null } }))).toBeNull();
});
