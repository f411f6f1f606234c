import type { SyncData } from '@deskside/shared/enrichment';
import { LookupStatus } from '@deskside/shared/status';
import { expect, test } from 'vitest';
import { type PanelErrorCode, panelErrorCodes } from '#messaging/protocol.ts';
import { textsFor } from '#panel/texts/texts.ts';
import { sampleApplied, sampleSync } from '#testing/sample-answers.ts';
import {
  doneSentence,
  endsUndo,
  previewSentence,
  type SyncFailure,
  syncFailure,
  syncFailureMessage,
  syncRemedy,
  writtenFields,
} from './sync.ts';

const en = textsFor('en');
const vi = textsFor('vi');
const name = 'Tiệm 77';
const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ field: `f${at}`, from: null, to: 'x' }));
const linkedTo = (customer: string | null) => ({ name: '1', customer, previous_customer: customer, linked: false });
const known = { name, created: false };

test.each<[string, Partial<SyncData>, string, string]>([
  [
    'a ticket without customer',
    { ticket: linkedTo(null), customer: known, changes: fields(8) },
    'Links this ticket to Tiệm 77 and updates 8 fields.',
    'Gắn phiếu này với Tiệm 77 và cập nhật 8 trường.',
  ],
  [
    'a customer in place of another one',
    { ticket: linkedTo('Khách lẻ'), customer: known, changes: fields(1) },
    'Links this ticket to Tiệm 77 instead of Khách lẻ and updates 1 field.',
    'Gắn phiếu này với Tiệm 77 thay cho Khách lẻ và cập nhật 1 trường.',
  ],
  [
    'a new customer',
    { ticket: linkedTo(null), customer: { name, created: true }, changes: fields(9) },
    'Creates the customer Tiệm 77 with 9 fields and links this ticket to it.',
    'Tạo khách hàng Tiệm 77 với 9 trường và gắn phiếu này với khách hàng đó.',
  ],
  [
    'the ticket’s own customer, made by hand',
    { ticket: linkedTo(name), customer: { ...known, adopted: true }, changes: fields(3) },
    'Makes Tiệm 77 this shop’s customer and updates 3 fields.',
    'Chọn Tiệm 77 làm khách hàng của shop này và cập nhật 3 trường.',
  ],
  ['nothing to do', { ticket: linkedTo(name), customer: known, changes: [] }, '', ''],
])('a preview in one sentence: %s', (_, change, english, vietnamese) => {
  expect(previewSentence(sampleSync(change), 'confirmed', en)).toBe(english);
  expect(previewSentence(sampleSync(change), 'confirmed', vi)).toBe(vietnamese);
});

test.each(['likely', 'claimed', 'unknown'] as const)('that it confirms the sender comes first: %s', (trust) => {
  const linked = sampleSync({ ticket: linkedTo(name), customer: known, changes: [] });
  expect(previewSentence(linked, trust, en)).toBe('Confirms that the sender belongs to this shop.');
});

test('what was done says where the ticket is, and where it went only if that was asked for', () => {
  expect(doneSentence(sampleApplied(), en)).toBe('Linked to Tiệm Hoa Mẫu - 1000069001.');
  expect(doneSentence(sampleApplied({ team: 'CS 60p' }), en)).toContain('It is in CS 60p now.');
  expect(doneSentence(sampleApplied({ team: null }), en)).toContain('Its team has not changed.');
});

test('the fields that are written stand in one order, in words, a newer proxy’s by its own name', () => {
  const changes = [
    { field: 'custom_new', from: null, to: '1' },
    { field: 'custom_crm_last_synced_at', from: null, to: '2026-11-20 15:00:00' },
    { field: 'custom_crm_match_confidence', from: null, to: '95' },
    ...sampleSync().changes,
  ];
  expect(writtenFields(sampleSync({ changes }), en)).toEqual([
    { label: 'Plan', from: 'STANDARD', to: 'OMNI SCALE 2025 (1 năm)' },
    { label: 'CRM check', from: null, to: 'Found' },
    { label: 'Confidence', from: null, to: '95%' },
    { label: 'Last synced', from: null, to: '20/11/2026 15:00 (helpdesk’s clock)' },
    { label: 'custom_new', from: null, to: '1' },
  ]);
});

const failure = (code: PanelErrorCode, action: SyncFailure['action'] = 'apply'): SyncFailure => ({
  action,
  error: { code },
  status: null,
});

test('only a match is not a failure; every other status says why', () => {
  for (const status of LookupStatus.options) {
    const found = syncFailure('apply', { ok: true, data: sampleApplied({ status }) });
    if (status === 'matched' || status === 'cached') expect(found).toBeNull();
    else expect(found && syncFailureMessage(found, en).body).toMatch(/\w\.$/);
  }
});

test('a conflict and a changed ticket suggest a refresh; nothing suggests repeating a write', () => {
  expect(syncRemedy(failure('identity_conflict'))).toBe('refresh');
  expect(syncRemedy(failure('changed_since'))).toBe('refresh');
  expect(syncRemedy(failure('helpdesk_timeout', 'preview'))).toBe('again');
  expect(syncRemedy(failure('ticket_not_writable'))).toBeNull();
  expect(syncRemedy({ action: 'apply', error: null, status: 'disabled' })).toBeNull();
  expect(syncRemedy({ action: 'preview', error: null, status: 'error' })).toBe('again');
  for (const code of panelErrorCodes) expect(syncRemedy(failure(code, 'undo'))).not.toBe('again');
});

test('a write without an answer may have been applied; a refused one was not, and a preview writes nothing', () => {
  const isUnsure = (one: SyncFailure) => syncFailureMessage(one, en).body.includes(en.sync.unsure);
  expect(panelErrorCodes.filter((code) => isUnsure(failure(code, 'preview')))).toEqual([]);
  expect(panelErrorCodes.filter((code) => isUnsure(failure(code))).toSorted()).toEqual([
    ...['aborted', 'bad_answer', 'helpdesk_bad_answer', 'helpdesk_timeout', 'helpdesk_unavailable'],
    ...['internal', 'offline', 'store_unavailable', 'timeout', 'unreachable'],
  ]);
});

test('of a ticket that somebody else reads it names the account, where that is known', () => {
  const of = (more: object) =>
    syncFailureMessage({ ...failure('ticket_read_by_other'), error: { code: 'ticket_read_by_other', ...more } }, en)
      .body;
  const conflict = { code: 'read_by_other', asked: '1', found: 'ai.do@hopthu.example' } as const;
  expect(of({ conflict })).toContain('but also ai.do@hopthu.example, so nothing');
  for (const [found, who] of [
    ['Guest', 'but also every visitor of the helpdesk'],
    ['everyone', 'but also everybody with an account'],
  ])
    expect(of({ conflict: { ...conflict, found } })).toContain(who);
  expect(of({})).toContain('Somebody besides the sender can read it');
});

test('an undo that can never work is not offered again', () => {
  const ending = panelErrorCodes.filter((code) => endsUndo(failure(code, 'undo')));
  expect(ending.toSorted()).toEqual(['changed_since', 'sync_not_found']);
});
