import type { SyncAction, SyncData } from '@deskside/shared/enrichment';
import type { LookupStatus } from '@deskside/shared/status';
import type { Message } from '#i18n/panel/crm-states.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { PanelError, PanelErrorCode, Result } from '#messaging/protocol.ts';
import { failureKinds } from '#panel/status/failure.ts';

/** Why a sync failed: an error, or a CRM look-up without a company. */
export type SyncFailure = { action: SyncAction } & (
  | { error: PanelError; status: null }
  | { error: null; status: LookupStatus }
);

/** The failure in a result, null if it succeeded. */
export function syncFailure(action: SyncAction, result: Result<SyncData>): SyncFailure | null {
  if (!result.ok) return { action, error: result.error, status: null };
  const { status } = result.data;
  return status === 'matched' || status === 'cached' ? null : { action, error: null, status };
}

export function syncFailureMessage({ error, status }: SyncFailure, t: Texts): Message {
  if (error) {
    const message = t.failures.code[error.code];
    const reader = error.conflict?.code === 'read_by_other' ? error.conflict.found : null;
    if (reader) return { ...message, body: t.failures.readBy(reader) };
    const refusal = error.conflict?.code === 'write_refused' ? error.conflict.found : null;
    return refusal ? { ...message, body: t.failures.refused(refusal) } : message;
  }
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

/** What the agent can do: refresh the profile, request the preview again, or nothing. */
export function syncRemedy({ action, error, status }: SyncFailure): 'refresh' | 'again' | null {
  if (error?.code === 'identity_conflict' || error?.code === 'changed_since' || status === 'not_found')
    return 'refresh';
  if (action === 'undo' || (error && (permanent.includes(error.code) || failureKinds[error.code].forAdministrator)))
    return null;
  return error || status === 'error' ? 'again' : null;
}

/** Whether the change may have been made nevertheless, because the answer was lost. */
export function mayHaveApplied({ action, error }: SyncFailure): boolean {
  return action !== 'preview' && error !== null && ambiguous.includes(error.code);
}

/** Whether the sync can never be undone. */
export function endsUndo({ action, error }: SyncFailure): boolean {
  return action === 'undo' && (error?.code === 'sync_not_found' || error?.code === 'changed_since');
}

const permanent: readonly PanelErrorCode[] = [
  'ticket_not_writable',
  'customer_not_readable',
  'customer_not_writable',
  'customer_not_found',
  'ticket_not_found',
];

const ambiguous: readonly PanelErrorCode[] = [
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
];
