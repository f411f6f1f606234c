import type { SyncData } from '@deskside/shared/enrichment';
import type { Clock } from '../ports/clock.ts';
import { HelpdeskError } from '../ports/helpdesk.ts';
import type { HelpdeskRecords } from '../ports/helpdesk-records.ts';
import type { SyncEntry, SyncLog } from '../ports/sync-log.ts';
import { AppError } from './app-error.ts';
import { asService } from './as-service.ts';
import type { Exclusively } from './exclusively.ts';
import { linkTicket } from './link-ticket.ts';
import type { Caller, Gate } from './open-ticket.ts';
import { requireTicketWrite } from './require-ticket-write.ts';

export interface UndoSyncDeps {
  gate: Gate;
  records: HelpdeskRecords;
  syncLog: SyncLog;
  exclusively: Exclusively;
  clock: Clock;
}

export type UndoSync = (input: {
  caller: Caller;
  ticket: string;
  syncId: string;
  signal: AbortSignal;
}) => Promise<SyncData>;

/**
 * Takes a sync back: the ticket gets the customer that it had before, as long as it still has the one that the sync put
 * there, and the match is no longer confirmed by it. What the sync wrote about the customer stays: it is what the CRM
 * says. Repeatable. Throws AppError: for a caller who may not change the ticket, `sync_not_found`, `changed_since`, and a
 * helpdesk that fails.
 */
export function createUndoSync(deps: UndoSyncDeps): UndoSync {
  const { gate, records, syncLog } = deps;

  return async ({ caller, ticket, syncId, signal }) => {
    await requireTicketWrite(deps, caller, ticket, signal);
    const entry = await syncLog.get(syncId);
    if (entry?.ticket !== ticket) throw new AppError('sync_not_found');
    const customer = await asService(
      deps.exclusively(`enrich ${entry.orgId}`, (workSignal) => undo(entry, workSignal)),
    );
    return {
      action: 'undo',
      status: 'matched',
      sync_id: entry.id,
      ticket: { name: ticket, customer, previous_customer: entry.customer, linked: false },
      customer: null,
      company: null,
      changes: [],
    };
  };

  /** Gives the customer that the ticket has afterwards. */
  async function undo(entry: SyncEntry, signal: AbortSignal): Promise<string | null> {
    const after = await putBack(entry, signal);
    await syncLog.markUndone(entry.id, deps.clock());
    gate.forgetTicket(entry.ticket);
    return after;
  }

  async function putBack({ ticket, customer, previousCustomer }: SyncEntry, signal: AbortSignal) {
    const back = { ticket, customer: previousCustomer, mayReplace: (present: string | null) => present === customer };
    try {
      const { linked } = await linkTicket(records, back, signal);
      if (!linked) throw new AppError('changed_since');
      return previousCustomer;
    } catch (error) {
      // A ticket without customer is given its contact's one by the helpdesk itself.
      if (previousCustomer !== null || !(error instanceof HelpdeskError) || error.kind !== 'rejected') throw error;
      return (await records.readTicketLink(ticket, signal)).customer;
    }
  }
}
