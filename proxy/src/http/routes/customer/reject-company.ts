import type { Context } from 'hono';
import type { RejectCompany } from '#app/customer/reject/reject-company.ts';
import type { UndoRejection } from '#app/customer/reject/undo-rejection.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf } from '#http/input.ts';

export interface RejectVerbs {
  rejectCompany: RejectCompany;
  undoRejection: UndoRejection;
}

/** POST /api/customer/rejections: the panel's Wrong customer, and its undo (docs/api.md#wrong-customer). */
export function rejectCompanyRoute({ rejectCompany, undoRejection }: RejectVerbs) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, orgId, bitrixId, reason, expectedCustomer, rejectionId } = await bodyInputOf(c, 'rejectCompany');
    const { signal } = c.req.raw;
    // The schema makes sure that there is one of them.
    const data =
      orgId === null
        ? await undoRejection({ caller, ticket, rejectionId: rejectionId ?? '', signal })
        : await rejectCompany({ caller, ticket, orgId, bitrixId, reason, expectedCustomer, signal });
    const message = data.action === 'undo' ? 'Rejection undone.' : 'Company rejected.';
    return c.json({ success: true, data, message });
  };
}
