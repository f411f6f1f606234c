import { type LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import { expect, test } from 'vitest';
import { shownTrust } from '#status/status.ts';
import { noCompany, sampleProfile } from '#testing/sample-profile.ts';
import { headOf } from './head.tsx';
import { trustReason, trustSentence } from './parts/trust.ts';
import { textsFor } from './texts/texts.ts';

const t = textsFor('en');
const onTicket: TrustEvidence = { code: 'value_on_ticket', field: 'custom_orgid' };
const onCustomer: TrustEvidence = { code: 'value_on_customer', field: 'custom_platform_orgid' };
const because = (level: LookupTrust['level'], code: TrustEvidence['code'], place = onTicket): LookupTrust => ({
  level,
  evidence: [place, { code, value: 'x@y.example' }],
});

test.each(['en', 'vi'] as const)('every reason is one sentence, also without its details (%s)', (language) => {
  const said = TrustEvidence.shape.code.options.flatMap((code) =>
    [{ code }, { code, value: 'x@y.example', field: 'custom_orgid' }].map((one) =>
      trustSentence('claimed', { level: 'claimed', evidence: [one] }, textsFor(language), {}).join(' '),
    ),
  );
  expect(said.join(' ')).not.toMatch(/undefined|null|custom_| {2}|\.\./);
  for (const sentence of said) expect(sentence.length).toBeLessThan(90);
});

test.each<[LookupTrust, string]>([
  [because('confirmed', 'signed_in_email_of_company'), 'Verified. Signed in with the shop’s own address'],
  [because('confirmed', 'linked_by_agent'), 'Verified. Confirmed by x@y.example'],
  [because('likely', 'sender_email_of_company'), 'Probably them: the shop’s own address, not signed in'],
  [because('likely', 'sender_known_to_agent'), 'Probably them: confirmed before by x@y.example, not signed in'],
  [because('likely', 'entered_by_agent'), 'Probably them: entered by x@y.example'],
  [because('claimed', 'contact_of_other'), 'Not verified. Another account reads this ticket: x@y.example'],
  [because('claimed', 'made_by_other'), 'Not verified. Made by another account, x@y.example'],
  [because('claimed', 'split_unknown'), 'Not verified. Split from a ticket whose sender is not known'],
  [because('claimed', 'sender_not_of_company'), 'Not verified. Only the sender says it’s this shop'],
  [because('claimed', 'sender_not_of_company', onCustomer), 'Not verified. The CRM doesn’t list the sender’s address'],
])('trust is a sentence with its reason: %j', (lookup_trust, sentence) => {
  const { name, word, reason } = headOf(sampleProfile({ bitrix: { lookup_trust } }), t);
  expect([name, `${word} ${reason}`]).toEqual(['Tiệm Hoa Mẫu', sentence]);
});

test('an agent is called by name, with the address where two have the same', () => {
  const bitrix = { lookup_trust: because('confirmed', 'linked_by_agent') };
  const reason = (names: Record<string, string>) => headOf(sampleProfile({ bitrix, names }), t).reason;
  expect(reason({ 'x@y.example': 'Lê Văn Bình' })).toBe('Confirmed by Lê Văn Bình');
  expect(reason({ 'x@y.example': 'Lan', 'z@y.example': 'Lan' })).toBe('Confirmed by Lan (x@y.example)');
});

test('a preliminary level is never shown as the result; without one the company is not verified', () => {
  const lookup_trust = { level: 'claimed' as const, evidence: [] };
  expect(shownTrust(sampleProfile({ pending: ['lookup_trust'], bitrix: { lookup_trust } }))).toBe('checking');
  expect(shownTrust(sampleProfile({ pending: ['haravan'], bitrix: { lookup_trust } }))).toBe('claimed');
  expect(trustReason('checking', lookup_trust, t, {})).toBeNull();
  expect(headOf(sampleProfile({ bitrix: { lookup_trust: null } }), t)).toMatchObject({
    ...{ word: 'Not verified.', reason: t.trust.noResult },
  });
});

test.each<[LookupStatus, string]>([
  ['not_found', 'The CRM has no company with Org ID 1000069001'],
  ['error', t.shell.fromHelpdesk],
  ['disabled', t.shell.fromHelpdesk],
  ['missing_config', t.shell.fromHelpdesk],
])('without a company it is the helpdesk’s customer, and what is known: %s', (status, word) => {
  expect(headOf(sampleProfile({ bitrix: { ...noCompany, status } }), t)).toMatchObject({
    ...{ name: 'Tiệm Hoa Mẫu - 1000069001', word, reason: null },
  });
});

test('without an org id it is who wrote', () => {
  const bitrix = { ...noCompany, status: 'missing_orgid' as const, lookup_candidates: [] };
  expect(headOf(sampleProfile({ bitrix }), t)).toMatchObject({ name: 'Trần Mẫu', word: t.crm.notLinked });
  const ticket = { customer: null };
  expect(headOf(sampleProfile({ ticket, customer: null, bitrix }), t).word).toBe(t.crm.notLinked);
  const nobody = { ...ticket, raised_by: null, contact: null };
  expect(headOf(sampleProfile({ ticket: nobody, customer: null, contact: null, bitrix }), t).name).toBe(t.crm.nobody);
});

test('a CRM that fails is never worded as an absent company, unless it said so before', () => {
  const error = { code: 'timeout' as const, request_id: 'r' };
  expect(headOf(sampleProfile({ bitrix: { ...noCompany, status: 'error', error } }), t).word).not.toMatch(/no company/);
  const before = { ...noCompany, status: 'error' as const, outcome: 'not_found' as const, error };
  expect(headOf(sampleProfile({ bitrix: before }), t).word).toMatch(/no company/);
});

test.each<[LookupStatus, string]>([
  ['error', t.crm.error.timeout],
  ['disabled', t.crm.disabled],
  ['missing_config', t.crm.missingConfig],
])('where nobody is linked either it says why the CRM says nothing: %s', (status, word) => {
  const error = status === 'error' ? { code: 'timeout' as const, request_id: 'r' } : null;
  const bitrix = { ...noCompany, status, error };
  const shown = headOf(sampleProfile({ ticket: { customer: null }, customer: null, bitrix }), t);
  expect(shown).toMatchObject({ name: 'Trần Mẫu', word });
  expect(word).not.toBe('');
});

test('while the CRM is slow, the helpdesk’s own record stands there, marked so', () => {
  const { word } = headOf(sampleProfile({ pending: ['crm'], bitrix: { ...noCompany, status: 'missing_config' } }), t);
  expect(word).toBe(`${t.shell.fromHelpdesk}. ${t.crm.waiting}`);
});
