import type { SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { type Call, type Context, lockTicket, type Work } from '#context.ts';
import { type CompanyWrite, type ShownCompany, writeCompanyData } from '#customers/ticket-writes.ts';
import { releaseCustomer, undoAdoption } from '#customers/write-customer.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { CompanyData } from '#helpdesk/fields.ts';
import type { PipelineTicket, Ticket, TicketKey } from '#helpdesk/ticket-file.ts';
import { carryOut } from '#routing/assign.ts';
import { reasonOfTeam, takenBackReason, writtenFields, writtenOf } from '#routing/written-fields.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import * as decisions from '#store/decisions.ts';
import * as rejections from '#store/rejections.ts';
import { isSameTicket, keyOf } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { openForWriting, withoutCrm } from '#trust/case.ts';
import { hasGiven, isByCustomerOf, isHeld, openClaimOf, restsOnSync, standsOn } from '#trust/companies.ts';
import { noteLinkTakenBack } from '#trust/evidence.ts';

/**
 * Undoes a sync: the ticket gets back its previous customer, provided it still has the one that the sync put there, and
 * the sync no longer confirms the match. What the sync wrote about the customer stays: it is what the CRM says. Only one
 * that was adopted gets back what it was, which takes the permission that adopting took; where the id is of the adoption
 * of the ticket's customer, that is all. What the ticket shows of the company by this sync goes; its team and agent stay.
 * Repeatable. Throws AppError: if the caller may not change ticket or customer, `sync_not_found`, `changed_since`, and if
 * the helpdesk fails.
 */
export async function undoSync(
  ctx: Call,
  { ticket, sync_id }: { ticket: string; sync_id: string | null },
): Promise<SyncData> {
  const { db, gate, caller, signal } = ctx;
  const { file } = await gate.requireTicketWrite(caller, ticket, signal);
  const id = sync_id ?? '';
  const named = (await syncs.get(db, id)) ?? (await ofAdoption(ctx, id, file.ticket));
  if (named === null || !isSameTicket(named.ticket, file.ticket)) throw new AppError('sync_not_found');
  if ('via' in named) return giveBack(ctx, named, ticket);
  const adoption = await adoptionBy(ctx, named);
  if (adoption !== null && named.previousCustomer !== named.customer)
    await gate.requireCustomerWrite(caller, named.customer, signal);
  const { customer, changes } = await hideServiceRefusal(
    ctx.withLock(`enrich ${named.orgId}`, (within) => undo({ ...ctx, signal: within }, named, adoption)),
  );
  await hideServiceRefusal(takeBackSync(ctx, named));
  return {
    ...undone(named.id, changes),
    ticket: { name: ticket, customer, previous_customer: named.customer, linked: false },
    customer: adoption === null ? null : { name: named.customer, created: false, adopted: true },
  };
}

function undone(sync_id: string, changes: SyncData['changes']) {
  return { action: 'undo', status: 'matched', sync_id, company: null, changes } as const;
}

/** Returns the customer that the ticket has afterwards, and what changed on the record of an adopted one. */
async function undo(ctx: Work, entry: syncs.SyncEntry, adoption: syncs.Adoption | null) {
  const customer = await putBackCustomer(ctx, entry);
  const changes = adoption === null ? [] : await releaseCustomer(ctx, adoption);
  // Who synced the ticket once more found this link there, and vouches for nothing without it.
  const repeats = entry.previousCustomer === entry.customer ? [] : await syncs.repeatsOf(ctx.db, entry);
  for (const id of [entry.id, ...repeats]) await noteLinkTakenBack(ctx.db, id, ctx.clock());
  ctx.gate.forgetTicket(entry.ticket.name);
  return { customer, changes };
}

/**
 * Gives the ticket back the customer that it had before the Sync, or none where somebody else reads it by now. Returns the
 * customer that it then has: the helpdesk itself gives a ticket without one that of its contact. Throws `changed_since`
 * where it has another one than the Sync put there, and HelpdeskError.
 */
async function putBackCustomer(ctx: Work, entry: syncs.SyncEntry): Promise<string | null> {
  const { ticket, customer: synced, previousCustomer: before } = entry;
  const { customer } = await retryIfChanged(async () => {
    const opened = await openForWriting(ctx, ticket.name, withoutCrm);
    const { ticket: read } = opened.file;
    const stands = await hasItsCustomer(ctx, entry, read);
    if (!stands && read.customer !== before) throw new AppError('changed_since');
    const over = { customer: stands ? read.customer : synced };
    return writeCompanyData(ctx, opened, null, { data: { customer: before }, over });
  });
  return customer;
}

/** Whether the ticket has the customer that the Sync put there, renamed or not: a person may have set a twin with its org id. */
async function hasItsCustomer({ helpdesk, signal }: Work, entry: syncs.SyncEntry, ticket: Ticket): Promise<boolean> {
  if (!standsOn(entry, ticket)) return false;
  return ticket.customer === entry.customer || (await helpdesk.customers.read(entry.customer, signal)) === null;
}

/** The adoption with this id, of the ticket's customer; or the ticket's Sync, if that was what adopted it. */
async function ofAdoption(
  { db, helpdesk, signal }: Work,
  id: string,
  ticket: TicketKey,
): Promise<syncs.SyncEntry | syncs.Adoption | null> {
  const adoption = await syncs.adoption(db, id);
  if (adoption === null) return null;
  const { file } = await hideServiceRefusal(helpdesk.tickets.read(ticket.name, signal));
  const { customer } = file.ticket;
  if (customer !== adoption.customer) return null;
  const isOfSync = adoption.via === 'sync' && isSameTicket(adoption.ticket, ticket);
  const synced = isOfSync ? await syncs.latest(db, ticket) : null;
  const isSame = synced?.customer === customer && synced.orgId === adoption.orgId;
  return isSame ? synced : { ...adoption, ticket: keyOf(ticket) };
}

/** The ticket keeps its customer, which is no company's any more; its ticket's permission is what adopting takes. */
async function giveBack(ctx: Work, { id, customer: name }: syncs.Adoption, ticket: string): Promise<SyncData> {
  const changes = (await undoAdoption(ctx, id))?.changes ?? [];
  ctx.gate.forgetTicket(ticket);
  return {
    ...undone(id, changes),
    ticket: { name: ticket, customer: name, previous_customer: name, linked: false },
    customer: { name, created: false, adopted: true },
  };
}

/** The customer that the sync itself made the company. */
async function adoptionBy(
  { db }: Context,
  { ticket, customer, orgId }: syncs.SyncEntry,
): Promise<syncs.Adoption | null> {
  const adoption = await syncs.standingAdoption(db, customer, orgId);
  return adoption?.via === 'sync' && isSameTicket(adoption.ticket, ticket) ? adoption : null;
}

/**
 * Takes back what the pipeline wrote to a ticket because of a Sync that is undone (decision 14: Sync and team): its
 * fields show what they showed before, as far as they still stand as we wrote them, and a claim that it had confirmed
 * is open again. Team and agent stay. Nothing while another Sync vouches for the company. Repeatable. Throws
 * HelpdeskError and AppError.
 */
function takeBackSync(caller: Work, entry: syncs.SyncEntry): Promise<void> {
  const { ticket: key, orgId } = entry;
  return lockTicket(caller, key.name, async (ctx) => {
    const { db, signal, helpdesk } = ctx;
    // A rejection that had ended it does not give it back.
    for (const { id, taken } of await rejections.standing(db, key, null))
      if (taken?.sync === entry.id) await rejections.noteTaken(db, id, { ...taken, sync: null });
    const standing = await syncs.latest(db, key);
    if (standing?.orgId === orgId) {
      const { file } = await helpdesk.tickets.read(key.name, signal);
      if (standsOn(standing, file.ticket)) return;
    }
    const found = await decisions.latest(db, key);
    // Half of it may have been written, by which nobody could tell what to take back.
    if (found?.state === 'planned' && wentBy(entry, found)) await carryOut(ctx, found, null, { plain: {}, data: {} });
    const decided = await decidedOn(ctx, entry);
    const { latest, before } = decided;
    const isShownBefore = before !== undefined && showsCompany(before, orgId);
    const owners = isShownBefore ? [] : await tickets.ownersOf(db, key, orgId);
    const isDecidedOn = latest !== undefined && before !== undefined;
    if (latest === undefined && entry.changes.length + owners.length === 0) return;
    let reason = '';
    await retryIfChanged(async () => {
      const opened = await openForWriting(ctx, key.name, withoutCrm);
      // Of a ticket that was synced before it was ever decided there is nothing to go back to.
      if (!isDecidedOn) {
        const written = writtenAbout(orgId, decided.resting, { sync: entry, owners }, opened.file.ticket);
        return writeCompanyData(ctx, opened, null, { ...written, data: {} });
      }
      const bySync = writtenBySync({ sync: entry, owners }, opened.file.ticket);
      const team = opened.file.ticket.agentGroup ?? latest.outcome.team;
      const of = { orgId, reason: reasonOf(before, team), team };
      const write = fieldsOf({ ...decided, latest, before }, opened.ticket, of);
      const over = { ...bySync, ...write.over };
      const shownBefore = shownBy(before, standing);
      const answer = await writeCompanyData(ctx, opened, null, { ...write, over, shownBefore });
      if (answer !== 'changed_meanwhile')
        reason = answer.refused !== null && team !== null ? takenBackReason(team) : of.reason;
      return answer;
    });
    if (!isDecidedOn) return;
    // The claim that it may have been decided on is open again.
    await tickets.enqueue(db, [key], { dueAt: ctx.clock(), now: ctx.clock() });
    const { inputs, outcome, link } = before;
    const { state, assignment } = latest;
    const record = {
      ticket: key.name,
      cause: 'sync_undone' as const,
      decided_at: new Date(ctx.clock()).toISOString(),
      state,
      inputs,
      link,
      assignment,
      outcome: { ...outcome, team: latest.outcome.team, reason },
    };
    await decisions.add(db, record, latest.number, null, openClaimOf(inputs));
  });
}

/** Whether a decision rests on a Sync, or has gone by the customer that the Sync put on a ticket that names another company. */
function wentBy({ orgId, at, customer, previousCustomer }: syncs.SyncEntry, decision: RoutingDecision): boolean {
  const isPutThere = customer !== previousCustomer && Date.parse(decision.decided_at) >= at;
  return restsOnSync(decision, orgId) || (isPutThere && isByCustomerOf(decision.inputs, orgId));
}

/** The decisions on a ticket, newest first: those that rest on a Sync, and those before, with the first of each. */
async function decidedOn({ db }: Context, entry: syncs.SyncEntry) {
  const all = await decisions.list(db, entry.ticket);
  const before = all.find((decision) => !wentBy(entry, decision));
  const resting = all.slice(0, before && all.indexOf(before));
  return { resting, latest: resting[0], before, earlier: all.slice(resting.length) };
}

/** What stands on a ticket beside what decisions wrote: by a Sync, and of the account owners whose addresses we told. */
interface OtherWrites {
  sync: Pick<syncs.SyncEntry, 'orgId' | 'changes'> | null;
  owners: readonly string[];
}

/** The org id that the Sync wrote, and which of these account owners' addresses the ticket shows. */
function writtenBySync({ sync, owners }: OtherWrites, ticket: Ticket): CompanyData {
  const responsible = owners.find((email) => email === ticket.responsible);
  return { ...(sync && sync.changes.length > 0 && { orgId: sync.orgId }), ...(responsible && { responsible }) };
}

/** All that we wrote to a ticket about a company, and what belongs in its place where there is nothing to go back to. */
export function writtenAbout(orgId: OrgId, decided: readonly RoutingDecision[], others: OtherWrites, ticket: Ticket) {
  const { over, plain } = writtenOf(orgId, decided);
  return { over: { ...over, ...writtenBySync(others, ticket) }, plain };
}

/** The reason of before; where the ticket has another team since, one that names the team alone. */
function reasonOf({ outcome }: RoutingDecision, team: string | null): string {
  const isSame = outcome.team === null || outcome.team === team;
  return team === null || isSame ? outcome.reason : takenBackReason(team);
}

/** What the decisions that rest on the Sync wrote, and what belongs in its place. */
function fieldsOf(
  {
    resting,
    latest,
    before,
    earlier,
  }: Awaited<ReturnType<typeof decidedOn>> & Record<'latest' | 'before', RoutingDecision>,
  ticket: PipelineTicket,
  { orgId, reason, team }: { orgId: OrgId; reason: string; team: string | null },
): CompanyWrite & { over: CompanyData } {
  const shownOf = (decision: RoutingDecision) =>
    writtenFields(decision, latest.assignment.state, ticket, { plain: {}, data: {} });
  const written = shownOf(latest);
  const { agentGroup: _, ...over }: CompanyData = { ...written.plain, ...written.data };
  // It was finished when the Sync did not count any more.
  const { reason: ofTeam } = reasonOfTeam(latest);
  if (ticket.reason === ofTeam) over.reason = ofTeam;
  const then = shownOf({ ...before, outcome: { ...before.outcome, reason } });
  const segment = (resting.at(-1) ?? latest).inputs.ticket_segment ?? '';
  const inPlace = <T extends object>(fields: T) =>
    Object.fromEntries(Object.entries(fields).filter(([member]) => member in over)) as Partial<T>;
  const isGiven = resting.some((one) => hasGiven(one, orgId)) && !earlier.some((one) => hasGiven(one, orgId));
  const times = showsCompany(before, orgId) ? {} : { crmLastCheckedAt: null, crmNotFoundAt: null };
  return {
    over: { ...over, ...(isGiven && { orgId, profileOrgId: orgId, olderOrgId: orgId }) },
    plain: { ...inPlace(then.plain), ...times },
    data: inPlace({ ...then.data, segment }),
    otherwise: team === null ? {} : { reason: takenBackReason(team) },
  };
}

/** The company that a decision shows, if any, with the Sync that stands. */
function shownBy({ inputs }: RoutingDecision, sync: syncs.SyncEntry | null): ShownCompany | undefined {
  const { org_id, claims } = inputs;
  if (org_id === null || isHeld(inputs, claims)) return;
  return { company: { orgId: org_id.value, crmCompanyId: null }, trust: org_id.trust, sync };
}

/** Whether the ticket shows more of the company than its team because of a decision. */
function showsCompany({ inputs }: RoutingDecision, orgId: OrgId): boolean {
  return inputs.org_id?.value === orgId && !isHeld(inputs, inputs.claims);
}
