import type { TrustEvidence } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleOther, sampleProfile } from '#testing/sample-profile.ts';
import { warningsOf } from './warnings.ts';

const t = textsFor('en');
const ways = {
  ...{ retry: () => {}, refresh: () => {}, reason: () => {}, choose: () => {}, compare: () => {}, link: () => {} },
};
const of = (change: Parameters<typeof sampleProfile>[0], more: Partial<Parameters<typeof warningsOf>[0]> = {}) => {
  const profile = sampleProfile(change);
  const situation = { answered: profile, profile, failure: null, retryMs: false as const, online: true, now: 0 };
  return warningsOf({ ...situation, ...more }, t, ways);
};
const keys = (...input: Parameters<typeof of>) => of(...input).map(({ key }) => key);
const claimed = { level: 'claimed' as const, evidence: [] };
const unlinked = { ...sampleProfile().ticket, customer: null };

test('a company that is vouched for and linked needs no words', () => expect(keys({})).toEqual([]));

test('the most important one comes first: no answer, old data, a claim, several companies, twins, not linked', () => {
  const twin = { bitrix_id: '2', company_id: null, company_name: null, date_modify: null, url: null };
  const bitrix = {
    ...{ status: 'error' as const, stale: true, error: { code: 'timeout' as const, request_id: 'r' } },
    ...{ lookup_trust: claimed, also_named: [sampleOther()], alternatives: [twin] },
  };
  const failure = { code: 'unreachable' } as const;
  expect(keys({ ticket: unlinked, customer: null, bitrix }, { failure, retryMs: 5_000 })).toEqual([
    ...['failure', 'crm', 'trust', 'several', 'twins', 'unlinked'],
  ]);
});

test('what is wrong with the connection says when it is tried again', () => {
  const [first] = of({}, { failure: { code: 'unreachable' }, retryMs: 5_000 });
  expect(first?.sentence).toContain('Deskside asks again in 5 seconds.');
  expect(keys({}, { online: false })).toEqual(['offline']);
});

test('a customer made by hand that may be the company is offered, instead of a word about the link', () => {
  const customer = 'Ca phe Suong Nui';
  const [first] = of({ ticket: unlinked, bitrix: { adoption: { customer } } });
  expect([first?.key, first?.names]).toEqual(['adoption', [customer]]);
});

test('a customer that is not the company is said to be another one, or asked about, not both', () => {
  const blank = { custom_platform_orgid: null, custom_crm_company_id: null };
  const { customer: linked } = sampleProfile();
  const customer = linked && { ...linked, ...blank, name: 'Hoa', customer_name: 'Tiệm hoa' };
  expect(keys({ customer })).toEqual(['customer']);
  expect(keys({ customer, bitrix: { adoption: { customer: 'Hoa' } } })).toEqual(['adoption']);
});

test('one that became the company is told of where no agent said so', () => {
  const adopted = { ...{ customer: 'Hoa', id: '1', via: 'pipeline' as const }, at: '2026-11-20T08:00:00Z' };
  expect(keys({ bitrix: { adopted: { ...adopted, by: null } } })).toEqual(['adopted']);
  expect(keys({ bitrix: { adopted: { ...adopted, by: 'an@desk.example' } } })).toEqual([]);
});

test('a company that is not verified is to be checked, and who reads the ticket too where that may be somebody else', () => {
  const said = (code: TrustEvidence['code']) => {
    const lookup_trust = { level: 'claimed' as const, evidence: [{ code, value: 'other@example.com' }] };
    return of({ bitrix: { lookup_trust } })[0]?.sentence;
  };
  expect(said('sender_not_of_company')).toBe(t.trust.check);
  expect(said('contact_of_other')).toBe(t.trust.checkReader);
  expect(said('made_by_other')).toBe(t.trust.checkReader);
});
