import type { FieldChange } from '@deskside/shared/enrichment';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { AppError } from '#runtime/app-error.ts';
import { hideServiceRefusal } from '#runtime/helpdesk-refusal.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import { requireTicketWrite } from '#server/require-write.ts';
import type { Rejection } from '#store/rejections.ts';
import * as rejections from '#store/rejections.ts';
import * as syncs from '#store/syncs.ts';
import { readerOf } from '#trust/evidence.ts';
import { senderAddress } from '#trust/sender.ts';
import { restoreAdoption } from './undo-adoption.ts';
import { linkTicket } from './write-records.ts';

/**
 * Takes a rejection back: the company may be proposed again for the sender. Where it was made on this very ticket, the
 * ticket gets back its customer and the fields that were cleared, as far as nobody has changed them since. Repeatable.
 * Throws AppError: if the caller may not change the ticket, `rejection_not_found`, and if the helpdesk fails.
 */
export async function undoRejection(
  ctx: Context,
  { caller, ticket, rejectionId }: { caller: Caller; ticket: string; rejectionId: string },
  signal: AbortSignal,
): Promise<RejectionData> {
  const { file } = await requireTicketWrite(ctx, caller, ticket, signal);
  const entry = await rejections.get(ctx.db, rejectionId);
  const sender = senderAddress(file.ticket.origin);
  // A rejection counts for all tickets of its sender, and can be taken back on any of them.
  if (entry === null || (entry.ticket !== ticket && (sender === null || entry.sender !== sender)))
    throw new AppError('rejection_not_found');
  return hideServiceRefusal(ctx.withLock(`ticket ${ticket}`, (workSignal) => undo(ctx, entry, ticket, workSignal)));
}

async function undo(ctx: Context, entry: Rejection, ticket: string, signal: AbortSignal): Promise<RejectionData> {
  await rejections.lift(ctx.db, entry, `undo ${entry.id}`, ctx.clock());
  const isHere = entry.ticket === ticket;
  const changes = isHere ? await putBack(ctx, entry, signal) : [];
  ctx.gate.forgetTicket(ticket);
  const { customer } = await ctx.helpdesk.tickets.readLink(ticket, signal);
  const previous_customer = (isHere ? entry.taken?.instead : customer) ?? null;
  return { action: 'undo', rejection_id: entry.id, ticket: { name: ticket, customer, previous_customer }, changes };
}

async function putBack(ctx: Context, { ticket, taken }: Rejection, signal: AbortSignal): Promise<FieldChange[]> {
  const { helpdesk, db } = ctx;
  if (taken === null) return [];
  const { file } = await helpdesk.tickets.read(ticket, signal);
  // Nothing of a company goes on a ticket that somebody else reads by now.
  if ((await readerOf(ctx, file.ticket, signal)) !== null) return [];
  if (taken.customer !== null) {
    const mayReplace = (present: string | null) => present === taken.instead;
    const { linked } = await linkTicket(helpdesk, { ticket, customer: taken.customer, mayReplace }, signal);
    // The customer that an agent put there meanwhile is theirs to explain.
    if (!linked) return [];
  }
  if (taken.adoption != null) await restoreAdoption(ctx, taken.adoption, signal);
  if (taken.sync !== null && (await syncs.latest(db, ticket)) === null) await syncs.restore(db, taken.sync);
  return retryIfChanged(async () => {
    const read = await helpdesk.tickets.read(ticket, signal);
    return helpdesk.tickets.takeBack(read, taken.changes, signal);
  });
}
