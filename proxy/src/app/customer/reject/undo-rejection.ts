import type { FieldChange } from '@deskside/shared/enrichment';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { requireTicketWrite } from '#app/access/require-ticket-write.ts';
import { restoreAdoption, type UndoAdoptionNeeds } from '#app/customer/adopt/undo-adoption.ts';
import { linkTicket } from '#app/customer/link-ticket.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { hideServiceRefusal } from '#app/runtime/helpdesk-refusal.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { CompanyRejections, Rejection } from '#ports/customer/company-rejections.ts';
import type { SyncLog } from '#ports/customer/sync-log.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';

export interface UndoRejectionDeps extends UndoAdoptionNeeds {
  gate: AgentGate;
  tickets: Pick<HelpdeskTickets, 'readPipelineTicket' | 'takeBackRouting'>;
  rejections: CompanyRejections;
  syncLog: Pick<SyncLog, 'latest' | 'restore'>;
}

export type UndoRejection = (input: {
  caller: Caller;
  ticket: string;
  rejectionId: string;
  signal: AbortSignal;
}) => Promise<RejectionData>;

/** How often a write is tried in all if others keep writing first. */
const maxTries = 3;

/**
 * Takes a rejection back: the company may be proposed again for the sender. Where it was made on this very ticket, the
 * ticket gets back its customer and the fields that were cleared, as far as nobody has changed them since. Repeatable.
 * Throws AppError: if the caller may not change the ticket, `rejection_not_found`, and if the helpdesk fails.
 */
export function createUndoRejection(deps: UndoRejectionDeps): UndoRejection {
  const { records, tickets, rejections } = deps;

  return async ({ caller, ticket, rejectionId, signal }) => {
    const { file } = await requireTicketWrite(deps, caller, ticket, signal);
    const entry = await rejections.get(rejectionId);
    const sender = senderAddress(file.ticket.origin);
    // A rejection counts for all tickets of its sender, and can be taken back on any of them.
    if (entry === null || (entry.ticket !== ticket && (sender === null || entry.sender !== sender)))
      throw new AppError('rejection_not_found');
    return hideServiceRefusal(deps.withLock(`ticket ${ticket}`, (workSignal) => undo(entry, ticket, workSignal)));
  };

  async function undo(entry: Rejection, ticket: string, signal: AbortSignal): Promise<RejectionData> {
    await rejections.lift(entry, `undo ${entry.id}`, deps.clock());
    const isHere = entry.ticket === ticket;
    const changes = isHere ? await putBack(entry, signal) : [];
    deps.gate.forgetTicket(ticket);
    const { customer } = await records.readTicketLink(ticket, signal);
    const previous_customer = (isHere ? entry.taken?.instead : customer) ?? null;
    return { action: 'undo', rejection_id: entry.id, ticket: { name: ticket, customer, previous_customer }, changes };
  }

  async function putBack({ ticket, taken }: Rejection, signal: AbortSignal): Promise<FieldChange[]> {
    if (taken === null) return [];
    if (taken.customer !== null) {
      const mayReplace = (present: string | null) => present === taken.instead;
      const { linked } = await linkTicket(records, { ticket, customer: taken.customer, mayReplace }, signal);
      // The customer that an agent put there meanwhile is theirs to explain.
      if (!linked) return [];
    }
    if (taken.adoption != null) await restoreAdoption(deps, taken.adoption, signal);
    if (taken.sync !== null && (await deps.syncLog.latest(ticket)) === null) await deps.syncLog.restore(taken.sync);
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const read = await tickets.readPipelineTicket(ticket, signal);
      const changes = await tickets.takeBackRouting(read, taken.changes, signal);
      if (changes !== 'changed_meanwhile') return changes;
    }
    throw new AppError('changed_since');
  }
}
