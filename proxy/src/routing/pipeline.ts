import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import type { PipelineTicket } from '#helpdesk/ticket-file.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import * as notes from '#store/notes.ts';
import { isForgotten } from '#store/retention.ts';
import type { Insert, TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { carryOut, type Due, isAsInserted, isLastFromSender, isRoutingOf, never, readIfThere } from './assign.ts';
import { isKeptReason, leftAsItIs } from './decide.ts';
import { planDecision, recordDecision } from './decision.ts';
import { enrichAndLink } from './enrich-and-link.ts';
import { confirmClaim, decideAfresh, isCrmStillFailing, isOutdated, repair, whenToRepair } from './retry.ts';

/** Half a minute in all; after that a ticket is routed without its customer. */
const enrichTries = 5;

/**
 * Takes one ticket to its end, from wherever it is: finds its company, decides its team, gives it an agent. Safe to run again
 * from any point, since a decision is recorded before its effects, but not twice at once for one ticket. Throws HelpdeskError
 * and AppError; the ticket is then due again (inbox.ts).
 */
export async function routeTicket(ctx: Work, work: TicketWork): Promise<Due> {
  const latest = await decisions.latest(ctx.db, work);
  if (latest && (await isCrmStillFailing(ctx, latest))) return whenToRepair(ctx, latest);
  const ticket = await readIfThere(ctx, work.name);
  // Ticket names can be reused, and a restored backup of the helpdesk can bring older tickets back.
  if (ticket === null || ticket.file.ticket.creation !== work.creation) return never;
  if (latest !== null) return goOn(ctx, ticket, latest);
  if (await isPast(ctx, ticket)) return never;

  const origin = await readOrigin(ctx, ticket);
  const routed = await recordOfRouted(ctx, ticket, origin, work.foundBy);
  if (routed !== null) {
    // Recorded, so that it is not looked at again; nothing is written to it.
    await decisions.add(ctx.db, routed, 0, null);
    return never;
  }
  const groupSetBy = await whoSetGroup(ctx, ticket, origin);
  const enriched = await enrichAndLink(ctx, ticket, groupSetBy, work.attempts < enrichTries);
  const plan = await planDecision(ctx, enriched, null);
  const cause = groupSetBy === 'deskside' ? 'before_insert' : work.foundBy;
  const decision = await recordDecision(ctx, enriched, plan, { cause, found_by: work.foundBy, after: 0 });
  return carryOut(ctx, decision, enriched);
}

/** A ticket that was decided: what is left undone is done, and what the decision went without may be known by now. */
async function goOn(ctx: Work, ticket: PipelineTicket, latest: RoutingDecision): Promise<Due> {
  if (latest.state === 'planned') {
    const refusal = await notes.refusalOf(ctx.db, ticket.file.ticket);
    const isSavedAgain = refusal !== null && refusal.modified !== ticket.modified;
    if (isSavedAgain) return decideAfresh(ctx, ticket, latest);
    const due = await carryOut(ctx, latest, null);
    if (due !== never) return due;
    const done = await decisions.latest(ctx.db, ticket.file.ticket);
    // Whoever vouches since had the ticket looked at again, and this was that look.
    return done !== null && done.state !== 'planned' && (await isOutdated(ctx, done)) ? ctx.clock() : never;
  }
  const isRouted = latest.state === 'overruled' || latest.outcome.fallback === null;
  if (!isRouted) return repair(ctx, ticket, latest);
  return (await isOutdated(ctx, latest)) ? confirmClaim(ctx, ticket, latest) : never;
}

/** Whether the ticket is no new one: its decisions have been deleted, or may have been (docs/data.md#tables). */
async function isPast(ctx: Work, { file: { ticket } }: PipelineTicket): Promise<boolean> {
  const oldest = await ctx.helpdesk.stampOf(ctx.clock() - ctx.retentionMs, ctx.signal);
  return ticket.creation < oldest || isForgotten(ctx.db, ticket);
}

/** What is known of a ticket's beginnings, before its first decision. */
interface Origin {
  /** The ticket as its webhook told of it; null if none did. */
  insert: Insert | null;
  /** The team that we gave it before its insert; null if we gave none. */
  givenTeam: string | null;
}

async function readOrigin({ db }: Work, { key, file }: PipelineTicket): Promise<Origin> {
  const insert = await tickets.insertOf(db, file.ticket);
  const preliminary = key === null ? null : await decisions.preliminary(db, key);
  return { insert, givenTeam: preliminary?.team ?? null };
}

/**
 * Who set the ticket's group: we before the insert, its sender, or else a person, which any program counts as. What did not come
 * with the insert is the sender's where the sender wrote last, a flow of the helpdesk in the sender's name included. Null if it has no
 * group.
 */
async function whoSetGroup(
  ctx: Work,
  ticket: PipelineTicket,
  { insert, givenTeam }: Origin,
): Promise<NonNullable<RoutingInputs['agent_group']>['set_by'] | null> {
  const { agentGroup } = ticket.file.ticket;
  if (agentGroup === null) return null;
  if (givenTeam === agentGroup) return 'deskside';
  const cameWithIt = insert?.agentGroup === agentGroup;
  if (!cameWithIt && !isLastFromSender(ticket)) return 'person';
  return (await isDesks(ctx, cameWithIt ? insert.owner : ticket.modifiedBy)) ? 'person' : 'sender';
}

async function isDesks({ helpdesk, signal }: Work, account: string): Promise<boolean> {
  return account === (await helpdesk.people.serviceUser(signal)) || helpdesk.people.isDesk(account, signal);
}

/**
 * The record of a ticket that our service account has already routed, of which our records know nothing: because an older
 * store was put back, or another installation did it (decision 20: own records). It is left as it is. Null for every
 * other ticket. Throws HelpdeskError.
 */
async function recordOfRouted(
  ctx: Work,
  ticket: PipelineTicket,
  origin: Origin,
  cause: TicketWork['foundBy'],
): Promise<DecisionDraft | null> {
  if (await isUntouchedSinceInsert(ctx, ticket)) return null;
  if (!(await isAssignedByUs(ctx, ticket)) && !(await isWrittenByUs(ctx, ticket, origin))) return null;
  const { name, creation, agentGroup } = ticket.file.ticket;
  return {
    ticket: name,
    cause,
    found_by: cause,
    decided_at: new Date(ctx.clock()).toISOString(),
    state: 'applied',
    outcome: leftAsItIs(agentGroup),
    assignment: { state: ticket.assignees.length > 0 ? 'already_assigned' : 'none', candidates: [] },
    inputs: {
      org_id: null,
      customer: null,
      looked_up: null,
      claims: ctx.routing.claims,
      crm: null,
      findings: [],
      meta_failures: [],
      ticket_segment: ticket.segment,
      ticket_status: ticket.status,
      ticket_creation: creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    link: null,
  };
}

/** Whether nobody has it, nor has written to it since its insert: who routes a ticket does both. */
async function isUntouchedSinceInsert({ helpdesk, signal }: Work, ticket: PipelineTicket): Promise<boolean> {
  if (ticket.assignees.length > 0 || !isAsInserted(ticket)) return false;
  return ticket.modifiedBy !== (await helpdesk.people.serviceUser(signal));
}

/** Whether our service account has ever assigned it, with our text. */
async function isAssignedByUs({ helpdesk, signal }: Work, { file, assignees }: PipelineTicket): Promise<boolean> {
  const service = await helpdesk.people.serviceUser(signal);
  const assignments = await helpdesk.assignments.list(file.ticket.name, signal, assignees);
  return assignments.some((assignment) => isRoutingOf(service, assignment));
}

/**
 * Whether group and reason are ours: nobody was available, or the group was kept. Both can be the sender's own, so we or the
 * desk must have written to the ticket since. A ticket whose insert we know, or whose group we gave before the insert, is a
 * new one: nothing of ours was lost.
 */
async function isWrittenByUs(
  ctx: Work,
  { file, reason, modifiedBy }: PipelineTicket,
  { insert, givenTeam }: Origin,
): Promise<boolean> {
  const { agentGroup: group } = file.ticket;
  if (group === null || reason === null || insert !== null || givenTeam !== null) return false;
  const isOurReason = reason.includes(`Target team=${group}.`) || isKeptReason(reason, group);
  return isOurReason && isDesks(ctx, modifiedBy);
}
