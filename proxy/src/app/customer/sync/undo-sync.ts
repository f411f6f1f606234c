import type { FieldChange, SyncData } from '@deskside/shared/enrichment';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { requireCustomerWrite } from '#app/access/require-customer-write.ts';
import { requireTicketWrite } from '#app/access/require-ticket-write.ts';
import { linkTicket } from '#app/customer/link-ticket.ts';
import type { MoveBack } from '#app/routing/move/move-back.ts';
import { AppError } from '#app/runtime/app-error.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { hideServiceRefusal } from '#app/runtime/helpdesk-refusal.ts';
import type { CompanyRejections } from '#ports/customer/company-rejections.ts';
import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { SyncEntry, SyncLog } from '#ports/customer/sync-log.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/** How often taking back is tried if others keep writing first. */
const maxTries = 3;

export interface UndoSyncDeps {
  gate: AgentGate;
  records: HelpdeskRecords;
  bindings: CustomerBindings;
  syncLog: SyncLog;
  rejections: Pick<CompanyRejections, 'restore'>;
  moveBack: MoveBack;
  withLock: WithLock;
  clock: Clock;
}

export type UndoSync = (input: {
  caller: Caller;
  ticket: string;
  syncId: string;
  signal: AbortSignal;
}) => Promise<SyncData>;

/**
 * Undoes a sync: the ticket gets back its previous customer, provided it still has the one that the sync put there, and
 * the sync no longer confirms the match. What the sync wrote about the customer stays: it is what the CRM says. Only one
 * that was adopted gets back what it was, which takes the caller's own permission to write it, as adopting did. A ticket
 * that the sync moved goes back to its team and agent, unless somebody has moved it since.
 * Repeatable. Throws AppError: if the caller may not change ticket or customer, `sync_not_found`, `changed_since`, and if
 * the helpdesk fails.
 */
export function createUndoSync(deps: UndoSyncDeps): UndoSync {
  const { gate, records, bindings, syncLog } = deps;

  return async ({ caller, ticket, syncId, signal }) => {
    await requireTicketWrite(deps, caller, ticket, signal);
    const entry = await syncLog.get(syncId);
    if (entry?.ticket !== ticket) throw new AppError('sync_not_found');
    const { adopted } = entry;
    if (adopted !== null) await requireCustomerWrite(records, caller, entry.customer, signal);
    const { customer, changes } = await hideServiceRefusal(
      deps.withLock(`enrich ${entry.orgId}`, (workSignal) => undo(entry, workSignal)),
    );
    const moved_back = await hideServiceRefusal(deps.moveBack(entry, signal));
    if (moved_back !== null) gate.forgetTicket(ticket);
    return {
      action: 'undo',
      status: 'matched',
      sync_id: entry.id,
      ticket: { name: ticket, customer, previous_customer: entry.customer, linked: false },
      customer: adopted === null ? null : { name: entry.customer, created: false, adopted: true },
      company: null,
      changes,
      moved_back,
    };
  };

  /** Returns the customer that the ticket has afterwards, and what changed on the record of an adopted one. */
  async function undo(entry: SyncEntry, signal: AbortSignal) {
    const customer = await putBack(entry, signal);
    const changes = entry.adopted === null ? [] : await release(entry, entry.adopted, signal);
    await syncLog.markUndone(entry.id, deps.clock());
    await deps.rejections.restore(entry.id);
    gate.forgetTicket(entry.ticket);
    return { customer, changes };
  }

  /** The customer is not this company after all. One that somebody has made another company since stays what it is. */
  async function release({ customer, orgId }: SyncEntry, written: FieldChange[], signal: AbortSignal) {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const record = await records.readCustomer(customer, signal);
      const changes = record?.orgId === orgId ? await records.takeBack(record, written, signal) : [];
      if (changes === 'changed_meanwhile') continue;
      await bindings.remove(customer, orgId);
      return changes;
    }
    throw new AppError('changed_since');
  }

  async function putBack({ ticket, customer, previousCustomer }: SyncEntry, signal: AbortSignal) {
    const back = { ticket, customer: previousCustomer, mayReplace: (present: string | null) => present === customer };
    try {
      const { linked } = await linkTicket(records, back, signal);
      if (!linked) throw new AppError('changed_since');
      return previousCustomer;
    } catch (error) {
      // The helpdesk itself gives a ticket without a customer that of its contact.
      if (previousCustomer !== null || !(error instanceof HelpdeskError) || error.kind !== 'rejected') throw error;
      return (await records.readTicketLink(ticket, signal)).customer;
    }
  }
}
