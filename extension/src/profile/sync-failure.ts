import type { SyncAction } from '@deskside/shared/enrichment';
import type { LookupStatus } from '@deskside/shared/status';
import type { Message } from '../i18n/crm-states.ts';
import type { Texts } from '../i18n/texts.ts';
import type { PanelError, PanelErrorCode, SyncResult } from '../messaging/protocol.ts';

/** Why a sync went no further: an error, or a look-up of the CRM that gave no company. */
export type SyncFailure = { action: SyncAction } & (
  | { error: PanelError; status: null }
  | { error: null; status: LookupStatus }
);

/** Null: the question was answered. */
export function syncFailure(action: SyncAction, result: SyncResult): SyncFailure | null {
  if (!result.ok) return { action, error: result.error, status: null };
  const { status } = result.sync;
  return status === 'matched' || status === 'cached' ? null : { action, error: null, status };
}

export function syncFailureMessage({ error, status }: SyncFailure, t: Texts): Message {
  if (error) return t.failures.code[error.code];
  switch (status) {
    case 'disabled':
      return t.crm.disabled;
    case 'missing_config':
      return t.crm.missingConfig;
    case 'missing_orgid':
      return t.crm.missingOrgid;
    case 'not_found':
      return t.crm.notFoundAnything;
    default:
      return t.crm.unknownError;
  }
}

/** What the agent can do: look at the company afresh, ask for the preview once more, or nothing here. */
export function syncRemedy({ action, error, status }: SyncFailure): 'refresh' | 'again' | null {
  if (error?.code === 'identity_conflict' || error?.code === 'changed_since' || status === 'not_found')
    return 'refresh';
  if (action === 'undo' || (error && definite.includes(error.code))) return null;
  return error || status === 'error' ? 'again' : null;
}

/** Whether what was to be written may have been written all the same: no answer says that it was not. */
export function mayBeDone({ action, error }: SyncFailure): boolean {
  return action !== 'preview' && error !== null && noAnswer.includes(error.code);
}

/** Whether the sync that was to be undone can never be. */
export function endsUndo({ action, error }: SyncFailure): boolean {
  return action === 'undo' && (error?.code === 'sync_not_found' || error?.code === 'changed_since');
}

const definite: readonly PanelErrorCode[] = [
  'ticket_not_writable',
  'customer_not_readable',
  'customer_not_found',
  'ticket_not_found',
];

const noAnswer: readonly PanelErrorCode[] = [
  'aborted',
  'bad_answer',
  'helpdesk_bad_answer',
  'helpdesk_timeout',
  'helpdesk_unavailable',
  'internal',
  'offline',
  'timeout',
  'unreachable',
];
