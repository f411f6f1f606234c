import type { Input } from '@deskside/shared/contract';
import type { RejectionReason } from '@deskside/shared/rejection';
import type { RejectionResult, SyncTarget } from '#messaging/protocol.ts';
import type { ProxyCaller } from './proxy-caller.ts';

/** Whom the page that asks shows. */
interface Asker {
  user: string;
}

/**
 * Wrong customer for tabs. Nothing is retried, and nothing is cancelled: the effect of an aborted write would be unknown.
 * Whatever the result, `forget` is called for the ticket.
 */
export function createRejectService(call: ProxyCaller, forget: (ticket: string) => void) {
  async function write(input: Input<'rejectCompany'> & { ticket: string }, user: string): Promise<RejectionResult> {
    const result = await call('rejectCompany', input, new AbortController().signal, user).finally(() =>
      forget(input.ticket),
    );
    return result.ok ? { ok: true, rejection: result.data } : result;
  }

  return {
    reject({
      ticket,
      companyId,
      bitrixId,
      expectedCustomer,
      reason,
      user,
    }: SyncTarget & Asker & { expectedCustomer: string | null; reason: RejectionReason }) {
      const target = { ticket, company_id: companyId, bitrix_id: bitrixId };
      const { code, note } = reason;
      return write(
        { ...target, action: 'reject', reason: code, note, expected_customer: expectedCustomer ?? '' },
        user,
      );
    },

    undoRejection: ({ ticket, rejectionId, user }: Asker & { ticket: string; rejectionId: string }) =>
      write({ ticket, action: 'undo', rejection_id: rejectionId }, user),
  };
}
