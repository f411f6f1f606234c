import { lookupStatuses } from '@deskside/shared/status';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { type PanelErrorCode, panelErrorCodes } from '#messaging/protocol.ts';
import { sampleApplied } from '#testing/sample-sync.ts';
import {
  endsUndo,
  mayHaveApplied,
  type SyncFailure,
  syncFailure,
  syncFailureMessage,
  syncRemedy,
} from './sync-failure.ts';

const failure = (code: PanelErrorCode, action: SyncFailure['action'] = 'apply'): SyncFailure => ({
  action,
  error: { code },
  status: null,
});

test('only a match is not a failure; every other status says why', () => {
  const t = textsFor('en');
  for (const status of lookupStatuses) {
    const found = syncFailure('apply', { ok: true, data: sampleApplied({ status }) });
    if (status === 'matched' || status === 'cached') expect(found).toBeNull();
    else expect(found && syncFailureMessage(found, t).title).toBeTruthy();
  }
});

test('a conflict and a changed ticket suggest a refresh; nothing suggests repeating a write', () => {
  expect(syncRemedy(failure('identity_conflict'))).toBe('refresh');
  expect(syncRemedy(failure('changed_since'))).toBe('refresh');
  expect(syncRemedy(failure('helpdesk_timeout'))).toBe('again');
  expect(syncRemedy(failure('ticket_not_writable'))).toBeNull();
  expect(syncRemedy({ action: 'apply', error: null, status: 'disabled' })).toBeNull();
  expect(syncRemedy({ action: 'preview', error: null, status: 'error' })).toBe('again');
  for (const code of panelErrorCodes) expect(syncRemedy(failure(code, 'undo'))).not.toBe('again');
});

test('a write without an answer may have been applied; a refused one was not, and a preview writes nothing', () => {
  for (const code of panelErrorCodes) expect(mayHaveApplied(failure(code, 'preview'))).toBe(false);
  const uncertain = panelErrorCodes.filter((code) => mayHaveApplied(failure(code)));
  expect(uncertain.toSorted()).toEqual([
    'aborted',
    'bad_answer',
    'helpdesk_bad_answer',
    'helpdesk_timeout',
    'helpdesk_unavailable',
    'internal',
    'offline',
    'store_unavailable',
    'timeout',
    'unreachable',
  ]);
});

test('an undo that can never work is not offered again', () => {
  const ending = panelErrorCodes.filter((code) => endsUndo(failure(code, 'undo')));
  expect(ending.toSorted()).toEqual(['changed_since', 'sync_not_found']);
  expect(endsUndo(failure('changed_since', 'apply'))).toBe(false);
});
