import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionReason } from '@deskside/shared/rejection';
import type { PanelErrorCode, RejectionResult } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { failureCode } from '#profile/status/failure.ts';

/**
 * Rejects the company on screen, if the ticket still has the customer that the agent sees. Sent only for the agent's own
 * click. Never throws.
 */
export function rejectCompany({ ticket, bitrix }: ProfileData, reason: RejectionReason): Promise<RejectionResult> {
  const { company, lookup_value } = bitrix;
  if (company === null || lookup_value === null) return Promise.resolve(failed('bad_answer'));
  const target = { ticket: ticket.name, companyId: lookup_value, bitrixId: company.bitrix_id };
  return checked(ticket.name, send('company.reject', { ...target, expectedCustomer: ticket.customer, reason }));
}

/** Takes a rejection back. Sent only for the agent's own click. Never throws. */
export function undoRejection(ticket: string, rejectionId: string): Promise<RejectionResult> {
  return checked(ticket, send('company.undoRejection', { ticket, rejectionId }));
}

/** Refuses an answer about another ticket (docs/decisions.md 13). */
async function checked(ticket: string, answer: Promise<RejectionResult>): Promise<RejectionResult> {
  try {
    const result = await answer;
    return result.ok && result.rejection.ticket.name !== ticket ? failed('bad_answer') : result;
  } catch (cause) {
    return failed(failureCode(cause));
  }
}

function failed(code: PanelErrorCode): RejectionResult {
  return { ok: false, error: { code, requestId: null } };
}
