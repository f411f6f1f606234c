import type { OrgId } from '@deskside/shared/orgid';
import { crmErrorCodes, lookupStatuses } from '@deskside/shared/status';
import { expect, test } from 'vitest';
import { textsFor } from '../i18n/texts.ts';
import { crmMessage } from './crm-message.ts';
import { sampleProfile } from './sample-profile.ts';

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
    const { title, body, footnote } = message({ status: 'error', outcome: null, error: { code, request_id: 'r-1' } });
    expect(title).not.toMatch(/no company/i);
    expect(body).toContain('does not mean that the company is not in the CRM');
    expect(footnote).toBe('Request r-1');
  }
});

test('only what passes by itself promises to be tried again', () => {
  const retried = crmErrorCodes.filter((code) =>
    message({ status: 'error', error: { code, request_id: 'r' } }).body.includes('Trying again'),
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

test('not found names what was looked for, when, and whether the answer was kept', () => {
  const lookup_candidates = ['1900000001', '200000317825'] as OrgId[];
  const body = 'Looked for 1900000001 and 200000317825. If the shop is new, the CRM may not have it yet.';
  expect(message({ status: 'not_found', outcome: 'not_found', lookup_candidates })).toMatchObject({
    body,
    footnote: 'Checked 12 minutes ago · Bitrix24',
  });
  expect(message({ status: 'cached', outcome: 'not_found', cached: true, lookup_candidates })).toMatchObject({
    body,
    footnote: 'Checked 12 minutes ago · from cache',
  });
});

test('what the CRM said before it failed is told with its age', () => {
  const { body } = message({ status: 'error', outcome: 'not_found', stale: true });
  expect(body).toContain('When it last answered, 12 minutes ago, it had no such company.');
});
