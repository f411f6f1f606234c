import type { SyncData } from '@deskside/shared/enrichment';
import type { Context } from 'hono';
import type { SyncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import type { UndoSync } from '#app/customer/sync/undo-sync.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf } from '#http/input.ts';

export interface SyncVerbs {
  syncTicketCustomer: SyncTicketCustomer;
  undoSync: UndoSync;
}

/** POST /api/method/platform_crm_sync_ticket_customer: the panel's Sync customer, its preview and its undo. */
export function syncTicketCustomerRoute({ syncTicketCustomer, undoSync }: SyncVerbs) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, orgId, bitrixId, action, syncId, expectedCustomer, adopt, moveTo } = await bodyInputOf(
      c,
      'syncTicketCustomer',
    );
    const { signal } = c.req.raw;
    const data =
      action === 'undo'
        ? await undoSync({ caller, ticket, syncId: syncId ?? '', signal })
        : await syncTicketCustomer({
            caller,
            ticket,
            orgId,
            bitrixId,
            action,
            expectedCustomer,
            adopt,
            moveTo,
            signal,
          });
    return c.json({ success: data.status === 'matched' || data.status === 'cached', data, message: messageOf(data) });
  };
}

function messageOf({ action, status }: SyncData): string {
  switch (status) {
    case 'missing_orgid':
      return 'Ticket has no Company ID.';
    case 'disabled':
      return 'CRM enrichment is disabled.';
    case 'missing_config':
      return 'CRM webhook is not configured.';
    case 'not_found':
      return 'No CRM company found.';
    case 'error':
      return 'CRM company fetch failed.';
    case 'matched':
    case 'cached':
      return { preview: 'Nothing has been changed yet.', apply: 'Customer synced.', undo: 'Sync undone.' }[action];
  }
}
