import type { OrgId } from '@deskside/shared/orgid';
import { crmErrorCodes, lookupStatuses } from '@deskside/shared/status';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { crmMessage } from './crm-message.ts';

const t = textsFor('en');
const now = Date.parse('2026-11-20T08:12:00Z');
const message = (
  bitrix: Parameters<typeof sampleProfile>[0] extends infer P ? NonNullable<P>['bitrix' & keyof NonNullable<P>] : never,
) => crmMessage(sampleProfile({ bitrix: { company: null, ...bitrix } }).bitrix, now, t);

test('every status without a company has a title and says what to do or who can help', () => {
  for (const status of lookupStatuses) {
    const { title, body } = message({ status });
    expect(title.length).toBeGreaterThan(10);
    expect(body.length).toBeGreaterThan(20);
  }
});

test('a failing CRM is never worded as an absent company', () => {
  for (const code of crmErrorCodes) {
    const { title, body } = message({ status: 'error', outcome: null, error: { code, request_id: 'r-1' } });
    expect(title).not.toMatch(/no company/i);
    expect(body).toContain('does not mean that the company is not in the CRM');
  }
});

test('only errors that may resolve themselves promise a retry', () => {
  const retried = crmErrorCodes.filter((code) =>
    message({ status: 'error', error: { code, request_id: 'r' } }).body.includes('Deskside keeps trying'),
  );
  expect(retried).toEqual([
    'timeout',
    'unreachable',
    'rate_limited',
    'operation_limit',
    'overloaded',
    'bad_answer',
    'server_error',
  ]);
});

test('not found names what was searched for, when, and whether the answer was cached', () => {
  const lookup_candidates = ['1900000001', '200000317825'] as OrgId[];
  const body = 'Searched for 1900000001 and 200000317825. If the shop is new, it may not be in the CRM yet.';
  expect(message({ status: 'not_found', outcome: 'not_found', lookup_candidates })).toMatchObject({
    body,
    footnote: 'Checked 12 minutes ago · from the CRM',
  });
  expect(message({ status: 'cached', outcome: 'not_found', cached: true, lookup_candidates })).toMatchObject({
    body,
    footnote: 'Checked 12 minutes ago · saved answer',
  });
});

test('the last answer before a failure is shown with its age', () => {
  const { body } = message({ status: 'error', outcome: 'not_found', stale: true });
  expect(body).toContain('When it last answered, 12 minutes ago, it had no such company.');
});
