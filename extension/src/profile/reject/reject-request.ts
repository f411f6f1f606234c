import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { RejectionReason } from '@deskside/shared/rejection';
import type { Result } from '#messaging/protocol.ts';
import { ask, failed } from '#profile/query/ask.ts';

/**
 * Rejects the company on screen, if the ticket still has the customer that the agent sees. Sent only for the agent's own
 * click. Never throws.
 */
export async function rejectCompany(
  { ticket, bitrix }: ProfileData,
  reason: RejectionReason,
): Promise<Result<RejectionData>> {
  const { company, lookup_value } = bitrix;
  if (company === null || lookup_value === null) return failed('bad_answer');
  const target = { ticket: ticket.name, companyId: lookup_value, bitrixId: company.bitrix_id };
  return ask('company.reject', { ...target, expectedCustomer: ticket.customer, reason });
}

/** Takes a rejection back. Sent only for the agent's own click. Never throws. */
export function undoRejection(ticket: string, rejectionId: string): Promise<Result<RejectionData>> {
  return ask('company.undoRejection', { ticket, rejectionId });
}
