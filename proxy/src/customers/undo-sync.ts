import type { SyncData } from '@deskside/shared/enrichment';
import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import { AppError } from '#runtime/app-error.ts';
import { hideServiceRefusal } from '#runtime/helpdesk-refusal.ts';
import { requireCustomerWrite, requireTicketWrite } from '#server/require-write.ts';
import type { Adoption } from '#store/adoptions.ts';
import * as adoptions from '#store/adoptions.ts';
import * as rejections from '#store/rejections.ts';
import type { SyncEntry } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import { takeBackSync } from './take-back-sync.ts';
import { releaseCustomer, undoAdoption } from './undo-adoption.ts';
import { linkTicket } from './write-records.ts';

/**
 * Undoes a sync: the ticket gets back its previous customer, provided it still has the one that the sync put there, and
 * the sync no longer confirms the match. What the sync wrote about the customer stays: it is what the CRM says. Only one
 * that was adopted gets back what it was, which takes the permission that adopting took; where the id is of the adoption
 * of the ticket's customer, that is all. What the ticket shows of the company by this sync goes; its team and agent stay.
 * Repeatable. Throws AppError: if the caller may not change ticket or customer, `sync_not_found`, `changed_since`, and if
 * the helpdesk fails.
 */
export async function undoSync(
  ctx: Context,
  { caller, ticket, syncId }: { caller: Caller; ticket: string; syncId: string },
  signal: AbortSignal,
): Promise<SyncData> {
  const { db } = ctx;
  await requireTicketWrite(ctx, caller, ticket, signal);
  const named = (await syncs.get(db, syncId)) ?? (await ofAdoption(ctx, syncId, ticket, signal));
  if (named?.ticket !== ticket) throw new AppError('sync_not_found');
  if ('via' in named) return giveBack(ctx, named, ticket, signal);
  const entry = named;
  const adoption = await adoptionBy(ctx, entry);
  if (adoption !== null && entry.previousCustomer !== entry.customer)
    await requireCustomerWrite(ctx, caller, entry.customer, signal);
  const { customer, changes } = await hideServiceRefusal(
    ctx.withLock(`enrich ${entry.orgId}`, (workSignal) => undo(ctx, entry, adoption, workSignal)),
  );
  await hideServiceRefusal(takeBackSync(ctx, entry, signal));
  return {
    action: 'undo',
    status: 'matched',
    sync_id: entry.id,
    ticket: { name: ticket, customer, previous_customer: entry.customer, linked: false },
    customer: adoption === null ? null : { name: entry.customer, created: false, adopted: true },
    company: null,
    changes,
  };
}

/** Returns the customer that the ticket has afterwards, and what changed on the record of an adopted one. */
async function undo(ctx: Context, entry: SyncEntry, adoption: Adoption | null, signal: AbortSignal) {
  const customer = await putBack(ctx, entry, signal);
  const changes = adoption === null ? [] : await releaseCustomer(ctx, adoption, signal);
  await syncs.markUndone(ctx.db, entry.id, ctx.clock());
  await rejections.restore(ctx.db, entry.id);
  ctx.gate.forgetTicket(entry.ticket);
  return { customer, changes };
}

/** The adoption with this id, of the ticket's customer; or the ticket's Sync, if that was what adopted it. */
async function ofAdoption(
  { db, helpdesk }: Context,
  id: string,
  ticket: string,
  signal: AbortSignal,
): Promise<SyncEntry | (Adoption & { ticket: string }) | null> {
  const adoption = await adoptions.get(db, id);
  if (adoption === null) return null;
  const { customer } = await hideServiceRefusal(helpdesk.tickets.readLink(ticket, signal));
  if (customer !== adoption.customer) return null;
  const synced = adoption.via === 'sync' && adoption.ticket === ticket ? await syncs.latest(db, ticket) : null;
  return synced?.customer === customer && synced.orgId === adoption.orgId ? synced : { ...adoption, ticket };
}

/** The ticket keeps its customer, which is no company's any more; its ticket's permission is what adopting takes. */
async function giveBack(
  ctx: Context,
  { id, customer: name }: Adoption,
  ticket: string,
  signal: AbortSignal,
): Promise<SyncData> {
  const changes = (await undoAdoption(ctx, id, signal))?.changes ?? [];
  ctx.gate.forgetTicket(ticket);
  return {
    action: 'undo',
    status: 'matched',
    sync_id: id,
    company: null,
    changes,
    ticket: { name: ticket, customer: name, previous_customer: name, linked: false },
    customer: { name, created: false, adopted: true },
  };
}

/** The customer that the sync itself made the company. */
async function adoptionBy(ctx: Context, { ticket, customer, orgId }: SyncEntry): Promise<Adoption | null> {
  const adoption = await adoptions.standing(ctx.db, customer, orgId);
  return adoption?.via === 'sync' && adoption.ticket === ticket ? adoption : null;
}

async function putBack({ helpdesk }: Context, entry: SyncEntry, signal: AbortSignal) {
  const { ticket, previousCustomer } = entry;
  const synced = await presentNameOf(helpdesk, entry, signal);
  const back = { ticket, customer: previousCustomer, mayReplace: (present: string | null) => present === synced };
  try {
    const { linked } = await linkTicket(helpdesk, back, signal);
    if (!linked) throw new AppError('changed_since');
    return previousCustomer;
  } catch (error) {
    // The helpdesk itself gives a ticket without a customer that of its contact.
    if (previousCustomer !== null || !(error instanceof HelpdeskError) || error.kind !== 'rejected') throw error;
    return (await helpdesk.tickets.readLink(ticket, signal)).customer;
  }
}

/** The customer that the sync put there may have been renamed: the ticket then has one with its org id instead. */
async function presentNameOf(
  helpdesk: Helpdesk,
  { ticket, customer, orgId }: SyncEntry,
  signal: AbortSignal,
): Promise<string> {
  const { customer: present } = await helpdesk.tickets.readLink(ticket, signal);
  if (present === null || present === customer || (await helpdesk.customers.read(customer, signal)) !== null)
    return customer;
  return (await helpdesk.customers.read(present, signal))?.orgId === orgId ? present : customer;
}
