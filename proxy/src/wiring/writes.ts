import type { Context } from '#app/context.ts';
import { enrichCompany } from '#app/customer/enrich-company.ts';
import { refreshCustomer } from '#app/customer/refresh-customer.ts';
import { rejectCompany } from '#app/customer/reject/reject-company.ts';
import { undoRejection } from '#app/customer/reject/undo-rejection.ts';
import { syncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import { undoSync } from '#app/customer/sync/undo-sync.ts';
import type { HttpDeps } from '#http/app.ts';
import type { Routing } from './routing.ts';

/** The verbs that write to the helpdesk, and those that show what was written. */
export function wireWrites(parts: {
  ctx: Context;
  claimConfirmed: (ticket: string) => void;
  move: Routing['move'];
}): Pick<
  HttpDeps,
  'enrichCompany' | 'refreshCustomer' | 'syncTicketCustomer' | 'undoSync' | 'rejectCompany' | 'undoRejection'
> {
  const { ctx, move, claimConfirmed } = parts;
  const moving = { ...ctx, move: move.bySync, moveBack: move.back, claimConfirmed };
  return {
    enrichCompany: (asked, signal) => enrichCompany(ctx, asked, signal),
    refreshCustomer: (asked, signal) => refreshCustomer(ctx, asked, signal),
    syncTicketCustomer: (asked, signal) => syncTicketCustomer(moving, asked, signal),
    undoSync: (asked, signal) => undoSync(moving, asked, signal),
    rejectCompany: (asked, signal) => rejectCompany(ctx, asked, signal),
    undoRejection: (asked, signal) => undoRejection(ctx, asked, signal),
  };
}
