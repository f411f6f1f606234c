import type { SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { finishDecision } from '#routing/assign.ts';
import { takenBackReason, writtenFields } from '#routing/written-fields.ts';
import { AppError, hideServiceRefusal, retryIfChanged } from '#runtime/app-error.ts';
import * as decisions from '#store/decisions.ts';
import * as rejections from '#store/rejections.ts';
import { isSameTicket, keyOf, type TicketKey } from '#store/schema.ts';
import type { Adoption, SyncEntry } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { hasGiven, isHeld, openClaimOf, restsOnSync } from '#trust/claims.ts';
import { standsOn } from '#trust/companies.ts';
import { isReadByOther, readerOf } from '#trust/evidence.ts';
import { releaseCustomer, undoAdoption } from '#customers/adopt.ts';
import { requireCustomerWrite, requireTicketWrite } from '#server/require-write.ts';
import { linkTicket } from '#customers/ticket-writes.ts';

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
  const { file } = await requireTicketWrite(ctx, caller, ticket, signal);
  const named = (await syncs.get(db, syncId)) ?? (await ofAdoption(ctx, syncId, file.ticket, signal));
  if (named === null || !isSameTicket(named.ticket, file.ticket)) throw new AppError('sync_not_found');
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
  ctx.gate.forgetTicket(entry.ticket.name);
  return { customer, changes };
}

/** The adoption with this id, of the ticket's customer; or the ticket's Sync, if that was what adopted it. */
async function ofAdoption(
  { db, helpdesk }: Context,
  id: string,
  ticket: TicketKey,
  signal: AbortSignal,
): Promise<SyncEntry | Adoption | null> {
  const adoption = await syncs.adoption(db, id);
  if (adoption === null) return null;
  const { customer } = await hideServiceRefusal(helpdesk.tickets.readLink(ticket.name, signal));
  if (customer !== adoption.customer) return null;
  const isOfSync = adoption.via === 'sync' && isSameTicket(adoption.ticket, ticket);
  const synced = isOfSync ? await syncs.latest(db, ticket) : null;
  return synced?.customer === customer && synced.orgId === adoption.orgId
    ? synced
    : { ...adoption, ticket: keyOf(ticket) };
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
  const adoption = await syncs.standingAdoption(ctx.db, customer, orgId);
  return adoption?.via === 'sync' && isSameTicket(adoption.ticket, ticket) ? adoption : null;
}

async function putBack(ctx: Context, entry: SyncEntry, signal: AbortSignal) {
  const { helpdesk } = ctx;
  const ticket = entry.ticket.name;
  const synced = await presentNameOf(helpdesk, entry, signal);
  // Nothing puts a customer on a ticket that somebody else reads by now.
  const customer = entry.previousCustomer && (await isReadByOther(ctx, ticket, signal)) ? null : entry.previousCustomer;
  const back = { ticket, customer, mayReplace: (present: string | null) => present === synced };
  try {
    const { linked } = await linkTicket(helpdesk, back, signal);
    if (!linked) throw new AppError('changed_since');
    return customer;
  } catch (error) {
    // The helpdesk itself gives a ticket without a customer that of its contact.
    if (customer !== null || !(error instanceof HelpdeskError) || error.kind !== 'rejected') throw error;
    return (await helpdesk.tickets.readLink(ticket, signal)).customer;
  }
}

/** The customer that the sync put there may have been renamed: the ticket then has one with its org id instead. */
async function presentNameOf(
  helpdesk: Helpdesk,
  { ticket, customer, orgId }: SyncEntry,
  signal: AbortSignal,
): Promise<string> {
  const { customer: present } = await helpdesk.tickets.readLink(ticket.name, signal);
  if (present === null || present === customer || (await helpdesk.customers.read(customer, signal)) !== null)
    return customer;
  return (await helpdesk.customers.read(present, signal))?.orgId === orgId ? present : customer;
}

/** Decisions on a ticket, newest first: those that rest on a Sync, and those before. */
interface Decided {
  resting: readonly [RoutingDecision, ...RoutingDecision[]];
  earlier: readonly [RoutingDecision, ...RoutingDecision[]];
}

/**
 * Takes back what the pipeline wrote to a ticket because of a Sync that is undone (docs/decisions.md 14): its fields show what
 * they showed before, as far as they still stand as we wrote them, and a claim that it had confirmed is open again. Team
 * and agent stay. Nothing while another Sync vouches for the company. Repeatable. Throws HelpdeskError and AppError.
 */
function takeBackSync(ctx: Context, entry: SyncEntry, callerSignal: AbortSignal): Promise<void> {
  const { ticket: key, orgId } = entry;
  const { name } = key;
  return ctx.withLock(`ticket ${name}`, async (own) => {
    const signal = AbortSignal.any([own, callerSignal]);
    const standing = await syncs.latest(ctx.db, key);
    const { file } = await ctx.helpdesk.tickets.read(name, signal);
    if (standing?.orgId === orgId && standsOn(standing, file.ticket)) return;
    await giveBackWritten(ctx, entry, signal);
    const found = await decisions.latest(ctx.db, key);
    if (found === null || !restsOnSync(found, orgId)) return;
    // Half of it may have been written, by which nobody could tell what to take back.
    if (found.state === 'planned') await finishDecision({ ...ctx, signal }, found, {});
    const decided = decidedOf(await decisions.list(ctx.db, key), orgId);
    if (decided === null) return;
    const [latest, before] = [decided.resting[0], decided.earlier[0]];
    let { reason } = before.outcome;
    await retryIfChanged(async () => {
      const ticket = await ctx.helpdesk.tickets.read(name, signal);
      // What it showed of another company is not for whoever else reads it by now.
      const isRead = (await readerOf(ctx, ticket.file.ticket, signal)) !== null;
      reason = reasonOf(before, ticket.file.ticket.agentGroup ?? latest.outcome.team, isRead);
      const { written, instead } = fieldsOf(decided, ticket, { orgId, reason });
      return ctx.helpdesk.tickets.clear(ticket, written, isRead ? withoutCompany(instead) : instead, signal);
    });
    // The claim that it may have been decided on is open again.
    await tickets.enqueue(ctx.db, [key], { dueAt: ctx.clock(), now: ctx.clock() });
    const { inputs, outcome, link } = before;
    const record = {
      ...{ ticket: name, cause: 'sync_undone' as const, decided_at: new Date(ctx.clock()).toISOString() },
      ...{ state: latest.state, inputs, link, assignment: latest.assignment },
      outcome: { ...outcome, team: latest.outcome.team, reason },
    };
    await decisions.add(ctx.db, record, latest.number, null, openClaimOf(inputs));
  });
}

/** The org id that the Sync wrote, and account owners' addresses unless what was known before it already led to the company. */
async function giveBackWritten(
  ctx: Context,
  { ticket, orgId, changes }: SyncEntry,
  signal: AbortSignal,
): Promise<void> {
  const before = (await decisions.list(ctx.db, ticket)).find((decision) => !restsOnSync(decision, orgId));
  const isShown = before !== undefined && showsCompany(before, orgId);
  const owners = isShown ? [] : await tickets.ownersOf(ctx.db, ticket, orgId);
  const written = [...changes, ...owners.map((to) => ({ field: 'custom_responsible', from: null, to }))];
  if (written.length === 0) return;
  await retryIfChanged(async () =>
    ctx.helpdesk.tickets.takeBack(await ctx.helpdesk.tickets.read(ticket.name, signal), written, signal),
  );
}

function withoutCompany({ segment: _, shopplan: __, servicePlan: ___, ...fields }: RoutingFields): RoutingFields {
  return fields;
}

/** Null if nothing is known of what was before. */
function decidedOf(all: readonly RoutingDecision[], orgId: OrgId): Decided | null {
  const count = all.findIndex((decision) => !restsOnSync(decision, orgId));
  const [latest, ...others] = all.slice(0, count);
  const [before, ...first] = all.slice(count);
  if (count === -1 || latest === undefined || before === undefined) return null;
  return { resting: [latest, ...others], earlier: [before, ...first] };
}

/** The reason of before; where the ticket has another team since, or somebody else reads it, one that names the team alone. */
function reasonOf({ outcome }: RoutingDecision, team: string | null, isRead: boolean): string {
  const isSame = outcome.team === null || outcome.team === team;
  return team === null || (isSame && !isRead) ? outcome.reason : takenBackReason(team);
}

/** What the decisions that rest on the Sync wrote, and what belongs in its place. */
function fieldsOf(
  { resting, earlier }: Decided,
  ticket: PipelineTicket,
  { orgId, reason }: { orgId: OrgId; reason: string },
): { written: RoutingFields; instead: RoutingFields } {
  const [latest, before] = [resting[0], earlier[0]];
  const shownOf = (decision: RoutingDecision) => writtenFields(decision, latest.assignment.state, ticket, {});
  const { agentGroup: _, ...written } = shownOf(latest);
  const then = {
    ...shownOf({ ...before, outcome: { ...before.outcome, reason } }),
    segment: (resting.at(-1) ?? latest).inputs.ticket_segment ?? '',
  };
  const instead = Object.fromEntries(Object.entries(then).filter(([member]) => member in written));
  const isGiven = resting.some((one) => hasGiven(one, orgId)) && !earlier.some((one) => hasGiven(one, orgId));
  const wasShown = showsCompany(before, orgId);
  return {
    written: {
      ...written,
      ...(isGiven && { orgId, profileOrgId: orgId, olderOrgId: orgId }),
    },
    instead: { ...instead, ...(!wasShown && { crmLastCheckedAt: null, crmNotFoundAt: null }) },
  };
}

/** Whether the ticket shows more of the company than its team because of a decision. */
function showsCompany({ inputs }: RoutingDecision, orgId: OrgId): boolean {
  return inputs.org_id?.value === orgId && !isHeld(inputs, inputs.claims);
}
