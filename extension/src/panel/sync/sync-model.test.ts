import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleApplied, sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { syncAnnouncement, syncModel } from './sync-model.ts';

const t = textsFor('en');
const customer = 'Tiệm Hoa Mẫu - 1000069001';

/** Label to what stands there, and what stood there before. */
function rows(...args: Parameters<typeof syncModel>) {
  const { groups, changes } = syncModel(...args);
  const all = groups.flatMap((group) => group.rows);
  const shown = all.filter(({ parts }) => parts.some(({ key, text }) => text !== null || changes.get(key)));
  return Object.fromEntries(
    shown.map(({ label, parts }) => [
      label,
      [
        changes.has(parts[0]?.key ?? '') ? (changes.get(parts[0]?.key ?? '') ?? null) : 'as before',
        ...parts.map(({ text }) => text).filter((text, at) => at === 0 || text !== null),
      ],
    ]),
  );
}

test('a preview shows old and new customer, trust and fields', () => {
  expect(rows(sampleSync(), t, 'claimed')).toEqual({
    Customer: ['Khách lẻ', customer, 'new customer'],
    Match: ['Not verified', 'Verified'],
    Plan: ['STANDARD', 'OMNI SCALE 2025 (1 năm)'],
    'CRM check': [null, 'Found'],
  });
});

test('what is already linked and confirmed is not shown as a change', () => {
  const linked = { name: '61307', customer, previous_customer: customer, linked: true };
  const sync = sampleSync({ ticket: linked, customer: { name: customer, created: false }, changes: [] });
  expect(rows(sync, t, 'confirmed')).toEqual({ Customer: ['as before', customer, 'already linked'] });
  expect(syncModel(sync, t, 'confirmed').changes.size).toBe(0);
  expect(syncModel(sync, t, 'likely').changes.size).toBe(1);
});

test('no previous trust is shown while it is still being checked', () => {
  expect(rows(sampleSync(), t, 'checking').Match).toEqual([null, 'Verified']);
});

test('the result describes the ticket as it is now', () => {
  expect(rows(sampleApplied(), t, 'confirmed')).toEqual({
    Customer: ['Khách lẻ', customer, 'new customer'],
    Match: ['as before', 'Verified', 'by you'],
    Plan: ['STANDARD', 'OMNI SCALE 2025 (1 năm)'],
    'CRM check': [null, 'Found'],
  });
  expect(rows(sampleUndone(), t, 'claimed')).toEqual({ Customer: [customer, 'Khách lẻ'] });
});

test('a ticket without a customer after an undo shows which one it had', () => {
  const ticket = { name: '61307', customer: null, previous_customer: customer, linked: false };
  expect(rows(sampleUndone({ ticket }), t, null)).toEqual({ Customer: [customer, null] });
});

test('values are formatted; unknown fields and statuses are shown as they are', () => {
  const changes = [
    { field: 'custom_new_thing', from: null, to: 'x' },
    { field: 'toString', from: null, to: 'y' },
    { field: 'custom_crm_sync_status', from: 'constructor', to: 'matched' },
    { field: 'custom_crm_match_confidence', from: '0', to: '95' },
    { field: 'custom_crm_not_found_at', from: '2026-05-05 09:07:00', to: null },
    { field: 'custom_crm_company_modified_at', from: '2026-05-05 09:07:00.123456', to: '2026-11-20 23:59:59' },
  ];
  const { Customer, Match, ...record } = rows(sampleApplied({ changes }), t, null);
  expect(record).toEqual({
    'CRM check': ['constructor', 'Found'],
    Confidence: ['0%', '95%'],
    'Changed in the CRM': ['05/05/2026 09:07 (helpdesk’s clock)', '20/11/2026 23:59 (helpdesk’s clock)'],
    'Not found in the CRM': ['05/05/2026 09:07 (helpdesk’s clock)', null],
    custom_new_thing: [null, 'x'],
    toString: [null, 'y'],
  });
  expect(Object.keys(record).slice(-2)).toEqual(['custom_new_thing', 'toString']);
});

test.each(['en', 'vi'] as const)('each result has an announcement with names (%s)', (language) => {
  const words = textsFor(language);
  const said = [sampleSync(), sampleApplied(), sampleUndone()].map((sync) => syncAnnouncement(sync, words, null));
  expect(said[0]).toContain('2');
  expect(said[0]).toContain(customer);
  expect(said[1]).toContain(customer);
  expect(said[2]).toContain('Khách lẻ');
  expect(new Set(said).size).toBe(3);
});
