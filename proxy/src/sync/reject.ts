import { contract } from '@deskside/shared/contract';
import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { RoutingDecision } from '@deskside/shared/routing';
import { type Call, type EntryInput, endpoint, lockTicket, type Work } from '#context.ts';
import { fitOf } from '#customers/find-customer.ts';
import { giveBackCompanyData, writeCompanyData } from '#customers/ticket-writes.ts';
import { restoreAdoption, undoAdoption } from '#customers/write-customer.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { Ticket, TicketKey } from '#helpdesk/ticket-file.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import * as decisions from '#store/decisions.ts';
import * as rejections from '#store/rejections.ts';
import { isSameTicket, keyOf } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { openForWriting, type TicketCase, type WritableCase, withoutCrm } from '#trust/case.ts';
import { type CompanyIds, isByCustomerOf, isHeld, isSameCompany } from '#trust/companies.ts';
import { identifySender, senderAddress } from '#trust/evidence.ts';
import { isRejectedSender, isSignedIn } from '#trust/judge.ts';
import { writtenAbout } from './undo-sync.ts';

type CompanyRejectInput = EntryInput<typeof contract.rejectCompany>;
/** The company that the agent has on screen, and the customer, if they say which. */
export type RejectionInput = Omit<CompanyRejectInput, 'company_id' | 'action' | 'rejection_id'> & { company_id: OrgId };

/** Null is whatever the CRM does not have, or could not tell in time. */
type DescribedCompany = CompanyIds & { name: string | null };

/**
 * An agent says that a company is not the customer of a ticket (decision 13: wrong customer): the ticket loses its link to the
 * company's customer and what we wrote about the company, as far as it still stands there, and the company is not
 * proposed again for whoever raised it. Recorded before its effects, and repeatable. Throws AppError: if the caller may
 * not change the ticket, `changed_since`, and if the helpdesk fails. The CRM is not needed.
 */
export async function rejectCompany(caller: Call, asked: RejectionInput): Promise<RejectionData> {
  const { agent } = await caller.gate.requireTicketWrite(caller.caller, asked.ticket, caller.signal);
  return hideServiceRefusal(lockTicket(caller, asked.ticket, (ctx) => reject(ctx, asked, agent)));
}

async function reject(ctx: Work, asked: RejectionInput, agent: HelpdeskUser): Promise<RejectionData> {
  const { db, clock } = ctx;
  const { expected_customer: expected } = asked;
  const opened = await openForWriting(ctx, asked.ticket, { lane: 'click', only: asked.company_id, crmWithinMs });
  const { ticket } = opened.file;
  const present = ticket.customer;
  const company = describeCompany(opened, asked);
  const known = opened.rejections.find((one) => isSameTicket(one.ticket, ticket) && isSameCompany(one, company));
  // Having pressed twice is not a change.
  if (expected !== null && (present ?? '') !== expected && known?.agent !== agent.id)
    throw new AppError('changed_since');
  const id = known?.id ?? (await recordRejection(ctx, opened, company, asked, agent));
  const { synced } = opened;
  const sync = synced !== null && isSameCompany(synced, company) ? synced : null;
  if (sync !== null) await syncs.markUndone(db, sync.id, clock());
  const adoption = present === null ? null : await releaseAdopted(ctx, present, ticket, company);
  const { customer, instead, changes } = await takeOff(ctx, opened, company, sync);
  const before = known?.taken ?? null;
  const now = { customer, instead, changes, sync: sync?.id ?? null, adoption };
  await rejections.noteTaken(db, id, before === null ? now : takenInAll(before, now));
  ctx.gate.forgetTicket(ticket.name);
  return {
    action: 'reject',
    rejection_id: id,
    ticket: { name: ticket.name, customer: instead, previous_customer: before?.customer ?? present },
    changes,
  };
}

/** Gives the id of the record. */
async function recordRejection(
  ctx: Work,
  { file: { ticket }, sender: facts }: WritableCase,
  { orgId, crmCompanyId, name: companyName }: DescribedCompany,
  { reason: code, note }: RejectionInput,
  agent: HelpdeskUser,
): Promise<string> {
  // An address that a stranger may have put there is not answerable for this ticket.
  const sender = isRejectedSender(facts) ? await identifySender(ctx, ticket) : null;
  return rejections.record(ctx.db, {
    ticket: keyOf(ticket),
    sender: sender?.address ?? null,
    orgId,
    crmCompanyId,
    companyName,
    agent: agent.id,
    reason: { code, note },
    signedIn: isSignedIn(facts),
    at: ctx.clock(),
  });
}

/** Pressed twice, a rejection keeps what it took off the first time. */
function takenInAll(
  before: rejections.RejectionEffects,
  now: rejections.RejectionEffects,
): rejections.RejectionEffects {
  return {
    customer: before.customer ?? now.customer,
    instead: now.instead,
    changes: [...before.changes, ...now.changes],
    sync: before.sync ?? now.sync,
    adoption: before.adoption ?? now.adoption,
  };
}

/** It has just been on screen, so that the cache has it; waiting longer is worth nothing. */
const crmWithinMs = 2_000;

/** The company that the agent has on screen, as far as the CRM tells: it may be down when a mistake is put right. */
function describeCompany(
  { companies: [judged] }: TicketCase,
  { company_id: orgId, bitrix_id: bitrixId }: Pick<RejectionInput, 'company_id' | 'bitrix_id'>,
): DescribedCompany {
  const found = judged?.lookup?.companies.find(({ fields }) => bitrixId === null || fields.bitrix_id === bitrixId);
  if (found === undefined) return { orgId, crmCompanyId: bitrixId, name: null };
  return { orgId, crmCompanyId: found.fields.bitrix_id, name: found.fields.company_name };
}

/** The ticket's customer is what it was before this very ticket made it the company. */
async function releaseAdopted(ctx: Work, customer: string, ticket: TicketKey, { orgId }: DescribedCompany) {
  const adoption = await syncs.standingAdoption(ctx.db, customer, orgId);
  if (adoption === null || !isSameTicket(adoption.ticket, ticket)) return null;
  await undoAdoption(ctx, adoption.id);
  return adoption.id;
}

/**
 * Takes the company's customer, and what we wrote about it, off the ticket, as far as it still stands there. `customer` is the one
 * that was taken off; `instead` is what the ticket has afterwards.
 */
async function takeOff(
  ctx: Work,
  asRead: WritableCase,
  company: DescribedCompany,
  sync: syncs.SyncEntry | null,
  isFirst = true,
): Promise<{ customer: string | null; instead: string | null; changes: FieldChange[] }> {
  const { db } = ctx;
  const { orgId } = company;
  const { ticket } = asRead.file;
  const present = ticket.customer;
  // It has been renamed since: the ticket has its new name by now.
  if (isFirst && present !== null && (await ctx.helpdesk.customers.read(present, ctx.signal)) === null)
    return takeOff(ctx, await openForWriting(ctx, ticket.name, withoutCrm), company, sync, false);
  const isLinked = present !== null && (sync?.customer === present || (await isOf(ctx, present, company)));
  const before = isLinked ? await customerBefore(ctx, present, company, sync) : null;
  const decided = await decisions.list(db, ticket);
  const owners = await tickets.ownersOf(db, ticket, orgId);
  const taken = await retryIfChanged(async (isFirst) => {
    const opened = isFirst ? asRead : await openForWriting(ctx, ticket.name, withoutCrm);
    const now = opened.file.ticket;
    if (isLinked && now.customer !== present && now.customer !== before) throw new AppError('changed_since');
    const { over, plain } = writtenAbout(orgId, decided, { sync, owners }, now);
    const write = { over: { ...over, ...(isLinked && { customer: present }) }, plain };
    return writeCompanyData(ctx, opened, null, { ...write, data: isLinked ? { customer: before } : {} });
  });
  const changes = taken.changes.filter(({ field }) => field !== 'customer');
  const isOff = isLinked && taken.customer !== present;
  return { customer: isOff ? present : null, instead: taken.customer, changes };
}

/**
 * The customer that the ticket had before the Sync; null if that was none, or the company's, too. The pipeline links only a
 * ticket without one.
 */
async function customerBefore(
  ctx: Work,
  present: string,
  company: DescribedCompany,
  sync: syncs.SyncEntry | null,
): Promise<string | null> {
  const previous = sync?.customer === present ? sync.previousCustomer : null;
  return previous !== null && (await isOf(ctx, previous, company)) ? null : previous;
}

async function isOf({ helpdesk, signal }: Work, customer: string, company: DescribedCompany): Promise<boolean> {
  const record = await helpdesk.customers.read(customer, signal);
  return record !== null && fitOf(record, company) === 'same';
}

/**
 * Takes a rejection back: the company may be proposed again for the sender. Where it was made on this very ticket, the
 * ticket gets back its customer and the fields that were cleared, as far as nobody has changed them since. Repeatable.
 * Throws AppError: if the caller may not change the ticket, `rejection_not_found`, and if the helpdesk fails.
 */
export async function undoRejection(
  ctx: Call,
  { ticket, rejection_id: id }: Pick<CompanyRejectInput, 'ticket' | 'rejection_id'>,
): Promise<RejectionData> {
  const { file } = await ctx.gate.requireTicketWrite(ctx.caller, ticket, ctx.signal);
  const entry = await rejections.get(ctx.db, id ?? '');
  const sender = senderAddress(file.ticket.origin);
  // A rejection counts for all tickets of its sender, and can be taken back on any of them.
  if (entry === null || (!isSameTicket(entry.ticket, file.ticket) && (sender === null || entry.sender !== sender)))
    throw new AppError('rejection_not_found');
  return hideServiceRefusal(lockTicket(ctx, ticket, (locked) => undo(locked, entry, file.ticket)));
}

async function undo(ctx: Work, entry: rejections.Rejection, ticket: Ticket): Promise<RejectionData> {
  await rejections.lift(ctx.db, entry.ticket, entry.sender, entry, `undo ${entry.id}`, ctx.clock());
  await rejections.takeBack(ctx.db, entry.id, ctx.clock());
  const { name } = ticket;
  const isHere = isSameTicket(entry.ticket, ticket);
  const put = isHere && entry.taken !== null ? await putBack(ctx, entry, entry.taken) : null;
  ctx.gate.forgetTicket(name);
  const { customer, changes, kept } = put ?? { customer: ticket.customer, changes: [] };
  const previous_customer = (isHere ? entry.taken?.instead : customer) ?? null;
  const ofTicket = { name, customer, previous_customer };
  return { action: 'undo', rejection_id: entry.id, ticket: ofTicket, changes, ...(kept && { kept }) };
}

/** What is put back on the ticket, or why it keeps what it has, and the customer that it then has. */
async function putBack(
  ctx: Work,
  { ticket: key, ...company }: rejections.Rejection,
  taken: rejections.RejectionEffects,
): Promise<Pick<RejectionData, 'changes' | 'kept'> & { customer: string | null }> {
  const { db } = ctx;
  const off = taken.customer === null ? [] : [{ field: 'customer', from: taken.customer, to: taken.instead }];
  const standing = await syncs.latest(db, key);
  const sync = standing ?? (taken.sync === null ? null : await syncs.get(db, taken.sync));
  const shown = (await decisions.list(db, key)).find((decision) => hasTold(decision, company.orgId));
  const isShown = shown !== undefined || taken.customer !== null;
  const shownBefore = isShown ? { company, trust: shown?.inputs.org_id?.trust ?? null, sync } : undefined;
  const back = await retryIfChanged(async () => {
    const opened = await openForWriting(ctx, key.name, withoutCrm);
    const present = opened.file.ticket.customer;
    // The customer that an agent put there meanwhile is theirs to explain.
    if (taken.customer !== null && ![taken.instead, taken.customer].includes(present))
      return { customer: present, changes: [], kept: 'other_customer' as const };
    const answer = await giveBackCompanyData(ctx, opened, [...off, ...taken.changes], shownBefore);
    if (answer === 'changed_meanwhile') return answer;
    const { customer, changes, refused } = answer;
    const kept = refused === 'read_by_other' ? refused : ('sender_not_verified' as const);
    return { customer, changes, kept: refused === null ? undefined : kept };
  });
  if (back.kept !== undefined) return back;
  if (taken.adoption != null) await restoreAdoption(ctx, taken.adoption);
  if (taken.sync !== null && standing === null) await syncs.restore(db, taken.sync);
  return { ...back, changes: back.changes.filter(({ field }) => field !== 'customer') };
}

/** Whether a decision has told of a company: as the one that the ticket names, or as its customer's. */
function hasTold({ inputs }: RoutingDecision, orgId: OrgId): boolean {
  const isOf = inputs.org_id?.value === orgId || isByCustomerOf(inputs, orgId);
  return isOf && !isHeld(inputs, inputs.claims);
}

export const rejectEndpoint = endpoint(contract.rejectCompany, {
  who: 'agent',
  // The schema makes sure that there is one of the two ids.
  handle: (ctx, { company_id, ...asked }) =>
    company_id === null ? undoRejection(ctx, asked) : rejectCompany(ctx, { ...asked, company_id }),
  message: rejectionMessage,
});

const keptMessages: Readonly<Record<NonNullable<RejectionData['kept']>, string>> = {
  read_by_other: 'Rejection undone. Nothing was put back: another website account reads the ticket.',
  other_customer: 'Rejection undone. Nothing was put back: the ticket has another customer by now.',
  sender_not_verified: 'Rejection undone. Nothing was put back: the present sender is not verified.',
};

function rejectionMessage({ action, kept }: RejectionData): string {
  if (action === 'reject') return 'Company rejected. The history of the ticket keeps what it showed.';
  return kept ? keptMessages[kept] : 'Rejection undone.';
}
