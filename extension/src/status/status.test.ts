import type { RejectedCompany } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { type ProfileChange, sampleOther, sampleProfile, sampleTwin } from '#testing/sample-profile.ts';
import { compactStatus } from './status.ts';

const of = (change: ProfileChange) => compactStatus({ ok: true, data: sampleProfile(change) }, 'en');
const rejection = {
  ...{ id: 'r1', org_id: '1000069001' as RejectedCompany['org_id'], bitrix_id: '63001', ticket: '61307' },
  ...{ company_name: 'Tiệm Hoa Mẫu', agent: 'an@desk.example', at: '2026-11-20T08:00:00.000Z' },
  reason: { code: 'wrong_id', note: '' },
} satisfies RejectedCompany;
const claimed = { lookup_trust: { level: 'claimed' as const, evidence: [] } };

test.each<[string, ProfileChange, string, string]>([
  ['a confirmed company', {}, 'ok', 'Verified'],
  [
    'a claim, whatever else is wrong',
    { bitrix: claimed, company: { shopplan_status: 'expired' } },
    'warn',
    'Not verified',
  ],
  ['several companies on the ticket', { bitrix: { also_named: [sampleOther()] } }, 'warn', '2 companies'],
  ['several companies in the CRM', { bitrix: { alternatives: [sampleTwin, sampleTwin] } }, 'warn', '3 companies'],
  ['a claim among several', { bitrix: { ...claimed, also_named: [sampleOther()] } }, 'warn', 'Not verified'],
  ['old data', { bitrix: { status: 'error', stale: true } }, 'bad', 'Old data'],
  ['an ended plan', { company: { shopplan_status: 'expired', shopplan_days_left: -3 } }, 'bad', 'Plan expired'],
  [
    'a plan about to end',
    { company: { shopplan_status: 'expiring_soon', shopplan_days_left: 19 } },
    'warn',
    '19 days left',
  ],
  [
    'a plan on its last day',
    { company: { shopplan_status: 'expiring_soon', shopplan_days_left: 0 } },
    'warn',
    'Plan ends today',
  ],
  ['trust still being worked out', { pending: ['lookup_trust'] }, 'neutral', 'Checking…'],
  [
    'a CRM that is waited for, whose status is not known yet',
    { pending: ['crm'], bitrix: { status: 'missing_config', company: null } },
    'neutral',
    'Checking…',
  ],
  ['a failing CRM', { bitrix: { status: 'error', company: null } }, 'bad', 'CRM not responding'],
  [
    'a key that the CRM refuses',
    { bitrix: { status: 'error', company: null, error: { code: 'unauthorized', request_id: 'r' } } },
    'bad',
    'CRM key refused',
  ],
  [
    'a key that lacks a permission, with an older answer',
    { bitrix: { status: 'error', stale: true, error: { code: 'insufficient_scope', request_id: 'r' } } },
    'bad',
    'CRM key refused',
  ],
  ['nothing found', { bitrix: { status: 'cached', outcome: 'not_found', company: null } }, 'warn', 'Not in CRM'],
  ['no org id', { bitrix: { status: 'missing_orgid', company: null } }, 'warn', 'No Org ID'],
  [
    'a company that was marked as wrong, and no other',
    { bitrix: { status: 'missing_orgid', company: null, rejected: [rejection] } },
    'warn',
    'Marked as wrong',
  ],
  ['another company than the one marked as wrong', { bitrix: { rejected: [rejection] } }, 'ok', 'Verified'],
])('%s', (_, change, tone, label) => {
  const isFailure = change.bitrix?.status === 'error';
  expect(of(change)).toEqual({ tone, label, ...(isFailure && { isFailure }) });
});
