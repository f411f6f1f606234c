import type { RoutingDecision } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import * as decisions from '#store/decisions.ts';
import type { TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { carryOut, type Due, finishDecision, never, readIfThere } from './assign.ts';
import { planDecision, recordDecision } from './decision.ts';
import { enrichAndLink } from './enrich-and-link.ts';
import { gatherFacts } from './facts.ts';
import { confirmClaim, isCrmStillFailing, isOutdated, repair, whenToRepair } from './retry.ts';
import { readOrigin, recordOfRouted, whoSetGroup } from './routed-before.ts';

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
  const facts = await gatherFacts(ctx, ticket);
  const linked = await enrichAndLink(ctx, facts, groupSetBy, work.attempts < enrichTries);
  const plan = await planDecision(ctx, linked, null);
  const cause = groupSetBy === 'deskside' ? 'before_insert' : work.foundBy;
  const decision = await recordDecision(ctx, linked, plan, { cause, found_by: work.foundBy, after: 0 });
  return carryOut(ctx, decision, linked);
}

/** A ticket that was decided: what is left undone is done, and what the decision went without may be known by now. */
async function goOn(ctx: Work, ticket: PipelineTicket, latest: RoutingDecision): Promise<Due> {
  if (latest.state === 'planned') return finishDecision(ctx, latest);
  const isRouted = latest.state === 'overruled' || latest.outcome.fallback === null;
  if (!isRouted) return repair(ctx, ticket, latest);
  return (await isOutdated(ctx, latest)) ? confirmClaim(ctx, ticket, latest) : never;
}

/** Whether the ticket is no new one: its decisions have been deleted, or may have been (docs/data.md#tables). */
async function isPast(ctx: Work, { file: { ticket } }: PipelineTicket): Promise<boolean> {
  const oldest = await ctx.helpdesk.stampOf(ctx.clock() - ctx.retentionMs, ctx.signal);
  return ticket.creation < oldest || tickets.isForgotten(ctx.db, ticket);
}
