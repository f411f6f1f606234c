import type { ProfileData } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { sampleAround } from '#testing/sample-answers.ts';
import { type ProfileChange, sampleProfile } from '#testing/sample-profile.ts';
import { factsOf, levelOf, type TicketsState } from './facts.tsx';

const t = textsFor('en');
const loaded: TicketsState = { data: sampleAround(), failure: null, hidden: null };
const facts = (change: ProfileChange = {}, tickets = loaded) => factsOf(sampleProfile(change), tickets, t);
const said = (...input: Parameters<typeof facts>) =>
  facts(...input).map(({ value, detail }) => [value, detail ?? null]);
const claimed = { lookup_trust: { level: 'claimed' as const, evidence: [] } };
type Owner = NonNullable<ProfileData['bitrix']['responsible']>;
const owner = (change: Partial<Owner>): ProfileChange => ({
  bitrix: { responsible: { ...(sampleProfile().bitrix.responsible as Owner), ...change } },
});

test('plan with time left, health with its trend, account owner, tickets', () => {
  expect(facts().map(({ label }) => label)).toEqual(['Plan', 'Shop health', 'Account owner', 'Tickets']);
  expect(said()).toEqual([
    ['OMNI SCALE', '61 days left'],
    ['Low', 'HSI_100: 12, was 0'],
    ['Nguyễn An', 'Send a message'],
    ['2 open', '12 in 90 days'],
  ]);
});

test.each<[ProfileChange, (string | null | undefined)[]]>([
  [{ company: { shopplan_days_left: 13, shopplan_status: 'expiring_soon' } }, ['OMNI SCALE', '13 days left', 'warn']],
  [{ company: { shopplan_days_left: 0, shopplan_status: 'expiring_soon' } }, ['OMNI SCALE', 'last day', 'warn']],
  [{ company: { shopplan_days_left: -87, shopplan_status: 'expired' } }, ['OMNI SCALE', 'ended 20/01/2027', 'bad']],
  [{ company: { current_shopplan: null } }, ['None on record', undefined, undefined]],
  [{ company: { current_shopplan: 'Grow 2024' } }, ['Grow', '61 days left', undefined]],
])('the plan is %j', (change, plan) => {
  const [fact] = facts(change);
  expect([fact?.value, fact?.detail, fact?.tone]).toEqual(plan);
});

test('an end of the plan that the CRM has as a text is shown as it is', () => {
  const { shopplan_days_left: _left, shopplan_status: _status, ...company } = sampleProfile().bitrix.company ?? {};
  const bitrix = { company: { ...company, shopplan_expiry: 'sau Tết' } as ProfileData['bitrix']['company'] };
  expect(said({ bitrix })[0]).toEqual(['OMNI SCALE', 'ends sau Tết']);
});

test.each<[string | null, string | null, string | null, string | null, (string | number | null | undefined)[]]>([
  ['HSI_500+', '580.4567', 'HSI_500+', '402.1', ['Very high', 'HSI_500+: 580, was 402', 5]],
  ['HSI_1', '0', 'HSI_1', '0', ['Very low', 'HSI_1: 0, unchanged', 1]],
  ['HSI_200', null, 'HSI_100', null, ['Medium', 'HSI_200: was Low', 3]],
  ['HSI_200', '240', null, null, ['Medium', 'HSI_200: 240', 3]],
  ['Vàng', null, 'Bạc', null, ['Vàng', 'was Bạc', null]],
  ['HSI_1', 'n/a', 'HSI_200', 'n/a', ['Very low', 'HSI_1: n/a, unchanged', 1]],
  [null, null, null, null, ['Not known', null, null]],
])('the health of %j, %j after %j, %j', (segment, detail, lastSegment, lastDetail, expected) => {
  const [, fact] = facts({
    company: {
      ...{ current_hsi_segment: segment, current_hsi_detail: detail },
      ...{ last_hsi_segment: lastSegment, last_hsi_detail: lastDetail },
    },
  });
  expect([fact?.value, fact?.detail, fact?.level]).toEqual(expected);
});

test.each([
  ['HSI_0', 0],
  ['HSI_500', 4],
  ['500+', 5],
  [' hsi 200 ', 3],
  ['HSI_9', null],
  ['', null],
])('the band %j is level %j', (segment, level) => expect(levelOf(segment)).toBe(level));

test.each(['en', 'vi'] as const)('every level has a word (%s)', (language) => {
  expect(new Set(textsFor(language).fields.levels).size).toBe(6);
});

test('an account owner who has left is not written to; about a stranger one asks', () => {
  expect(facts(owner({ status: 'inactive' }))[2]).toMatchObject({ detail: 'left the company', tone: 'warn' });
  expect(facts(owner({ status: 'inactive' }))[2]?.href).toBeUndefined();
  expect(facts(owner({ name: null, email: null }))[2]).toMatchObject({ value: 'CRM user 338', detail: null });
  expect(facts({ bitrix: { responsible: null } })[2]?.value).toBe('CRM user 338');
  expect(facts({ bitrix: { responsible: null }, company: { assigned_by_id: null } })[2]?.value).toBe('Nobody');
  expect(facts({ bitrix: claimed })[2]).toMatchObject({ detail: 'Ask about them', href: 'mailto:an@crm.example' });
});

test('tickets are hidden until somebody vouches, and say where they are not known', () => {
  const tickets = (change: Partial<TicketsState>) => said({}, { ...loaded, ...change })[3];
  expect(tickets({ hidden: 'untilVerified' })).toEqual(['Hidden', 'until verified']);
  expect(tickets({ hidden: 'untilLinked' })).toEqual(['Hidden', 'until linked']);
  expect(tickets({ data: undefined })).toEqual(['Loading…', null]);
  expect(tickets({ data: undefined, failure: { code: 'timeout' } })).toEqual(['Not loaded', null]);
  const counts = { open: 500, in_90_days: 500, all: 500, is_more: true };
  expect(tickets({ data: sampleAround({ counts }) })).toEqual(['500+ open', '500+ in 90 days']);
});

test('without the CRM, plan and segment of the helpdesk’s own record stand there, marked so; else nothing does', () => {
  const bitrix = { status: 'error' as const, company: null };
  expect(said({ bitrix }).slice(0, 2)).toEqual([
    ['OMNI SCALE', 'helpdesk’s own record'],
    ['Medium', 'helpdesk’s own record'],
  ]);
  expect(facts({ bitrix, customer: null })).toEqual([]);
  const { customer } = sampleProfile();
  const checked = customer && { ...customer, custom_crm_last_checked_at: '2026-11-20 10:30:00' };
  expect(said({ bitrix, customer: checked })[2]).toEqual(['20/11/2026', '10:30 (helpdesk’s clock)']);
});
