import { lookupStatuses } from '@deskside/shared/status';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { panelErrorCodes } from '#messaging/protocol.ts';
import { sampleFind, sampleFoundCompany } from '#testing/sample-found.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { canFind, findFailureMessage, findHeadline, planText, readAs, reasonText, targetOf } from './find-model.ts';

const t = textsFor('en');

test('a company can be looked for wherever there is a CRM', () => {
  const able = lookupStatuses.filter((status) => canFind(sampleProfile({ bitrix: { status } })));
  expect(able).toEqual(['missing_orgid', 'matched', 'not_found', 'error', 'cached']);
});

test('what is announced: how many, that there are more, and what could not be searched', () => {
  expect(findHeadline(undefined, null, t)).toBeNull();
  expect(findHeadline(sampleFind(), null, t)).toBe('1 company found.');
  expect(findHeadline(sampleFind({ companies: [] }), null, t)).toBe('No company found.');
  expect(findHeadline(sampleFind({ read_as: [], companies: [] }), null, t)).toBe(t.find.tooShort);
  const partial = sampleFind({ more: true, crm: { status: 'failed', error: null } });
  expect(findHeadline(partial, null, t)).toBe(`1 company found. ${t.find.more} ${t.find.crmFailed}`);
  expect(findHeadline(sampleFind({ helpdesk: { status: 'failed' } }), null, t)).toContain(t.find.helpdeskFailed);
  expect(findHeadline(sampleFind(), { code: 'rate_limited' }, t)).toBe('Too many searches');
});

test.each(['en', 'vi'] as const)('every failure has words (%s)', (language) => {
  for (const code of panelErrorCodes)
    expect(findFailureMessage({ code }, textsFor(language))).toMatchObject({ title: /./, body: /./ });
});

test('what is known of a company, and why it was found', () => {
  const found = sampleFoundCompany();
  expect(found.found_by.map((reason) => reasonText(reason, t))).toEqual([
    'Email: owner@gomlangmo.example (Trần Quang Khải)',
  ]);
  expect(reasonText({ by: 'org_id', value: '5', person: null }, t)).toBe('Org ID matches: 5');
  expect(readAs(sampleFind({ read_as: ['phone', 'org_id'] }), t)).toBe('phone number or Org ID');
  expect(planText(found, t)).toBe('OMNI SCALE 2025 (1 năm)');
  expect(planText({ ...found, plan_status: 'expired' }, t)).toBe('OMNI SCALE 2025 (1 năm), expired');
  expect(planText({ ...found, plan_status: 'expiring_soon', plan_days_left: 9 }, t)).toContain('9 days left');
  expect(planText({ ...found, plan: null }, t)).toBeNull();
});

test('a ticket can be linked to what has an org id, also where the CRM has not named it yet', () => {
  const found = sampleFoundCompany();
  expect(targetOf('2', found)).toEqual({ ticket: '2', companyId: '200000376001', bitrixId: '63002' });
  expect(targetOf('2', { ...found, bitrix_id: null })).toEqual({
    ticket: '2',
    companyId: '200000376001',
    bitrixId: null,
  });
  expect(targetOf('2', { ...found, org_id: null })).toBeNull();
});
