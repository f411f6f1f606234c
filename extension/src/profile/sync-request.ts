import type { SyncAction } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import type { SyncResult, SyncTarget } from '../messaging/protocol.ts';
import { send } from '../messaging/send.ts';
import { sendFailure } from './send-failure.ts';

/** What can be synced of a profile: a company that the CRM has answered with; null otherwise, and for old data. */
export function syncTarget({ ticket, bitrix }: ProfileData): SyncTarget | null {
  const { company, status, outcome, stale, lookup_value } = bitrix;
  if (!company || stale || outcome !== 'matched' || (status !== 'matched' && status !== 'cached')) return null;
  return { ticket: ticket.name, companyId: lookup_value, bitrixId: company.bitrix_id };
}

/** What the change would be. Ends, with the code `aborted`, when the signal aborts. Never throws. */
export async function previewSync(target: SyncTarget, signal: AbortSignal): Promise<SyncResult> {
  const call = crypto.randomUUID();
  const cancel = () => void send('sync.cancel', { call }).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  const result = await checked('preview', target.ticket, send('sync.preview', { ...target, call }));
  signal.removeEventListener('abort', cancel);
  return signal.aborted ? failed('aborted') : result;
}

/** Changes it, if the ticket still has the customer that the preview showed. Never throws. */
export function applySync(target: SyncTarget, expectedCustomer: string | null): Promise<SyncResult> {
  return checked('apply', target.ticket, send('sync.apply', { ...target, expectedCustomer }));
}

/** Takes the change back. Never throws. */
export function undoSync(ticket: string, syncId: string): Promise<SyncResult> {
  return checked('undo', ticket, send('sync.undo', { ticket, syncId }));
}

/** An answer about another ticket, or to another question, is none (design.md, decision 13). */
async function checked(action: SyncAction, ticket: string, answer: Promise<SyncResult>): Promise<SyncResult> {
  try {
    const result = await answer;
    if (!result.ok) return result;
    const { sync } = result;
    return sync.ticket.name === ticket && sync.action === action ? result : failed('bad_answer');
  } catch (cause) {
    return failed(sendFailure(cause));
  }
}

function failed(code: (SyncResult & { ok: false })['error']['code']): SyncResult {
  return { ok: false, error: { code, requestId: null } };
}
