import type { SyncAction } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import type { PanelErrorCode, SyncResult, SyncTarget } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { sendCancellable } from '#messaging/send-cancellable.ts';
import { failureCode } from '#profile/status/failure.ts';

/** The company of a profile that can be synced; null without a company and for old data. */
export function syncTarget({ ticket, bitrix }: ProfileData): SyncTarget | null {
  const { company, status, outcome, stale, lookup_value } = bitrix;
  if (!company || stale || outcome !== 'matched' || (status !== 'matched' && status !== 'cached')) return null;
  return { ticket: ticket.name, companyId: lookup_value, bitrixId: company.bitrix_id };
}

/**
 * Requests the preview of a sync, of adopting a customer made by hand if one is named. Answers with the code `aborted` when
 * the signal aborts. Never throws.
 */
export async function previewSync(target: SyncTarget, adopt: string | null, signal: AbortSignal): Promise<SyncResult> {
  const answer = sendCancellable('sync.preview', { ...target, adopt }, signal);
  const result = await checked('preview', target.ticket, answer);
  return signal.aborted ? failed('aborted') : result;
}

/** Applies a sync, if the ticket still has the customer shown in the preview, and moves it if a team is named. Never throws. */
export function applySync(
  target: SyncTarget,
  how: { adopt: string | null; expectedCustomer: string | null; moveTo: string | null },
): Promise<SyncResult> {
  return checked('apply', target.ticket, send('sync.apply', { ...target, ...how }));
}

/** Undoes a sync. Never throws. */
export function undoSync(ticket: string, syncId: string): Promise<SyncResult> {
  return checked('undo', ticket, send('sync.undo', { ticket, syncId }));
}

/** Refuses an answer about another ticket or action (docs/decisions.md 13). */
async function checked(action: SyncAction, ticket: string, answer: Promise<SyncResult>): Promise<SyncResult> {
  try {
    const result = await answer;
    if (!result.ok) return result;
    const { sync } = result;
    return sync.ticket.name === ticket && sync.action === action ? result : failed('bad_answer');
  } catch (cause) {
    return failed(failureCode(cause));
  }
}

function failed(code: PanelErrorCode): SyncResult {
  return { ok: false, error: { code, requestId: null } };
}
