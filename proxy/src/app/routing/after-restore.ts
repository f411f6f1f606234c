import type { Context } from '#app/context.ts';
import { isRoutingOf, teamOf } from '#app/routing/assignments.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { adoptedAssignment, adoptedOutcome } from '#domain/routing/adopted-outcome.ts';
import { isKeptReason } from '#domain/routing/decide-routing.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';
import type { Restore, Upkeep } from '#ports/operator/upkeep.ts';
import type { DecisionDraft, Decisions } from '#ports/routing/decisions.ts';
import type { Logger } from '#ports/runtime/logger.ts';

export type AdoptNeeds = Pick<Context, 'upkeep' | 'learnTurns' | 'routing' | 'clock'> & {
  helpdesk: Pick<HelpdeskTickets, 'serviceUser' | 'stampOf' | 'listAssignments' | 'isDesk'>;
};

/**
 * What this service had done with a ticket before its store was replaced by an older one. `whole`: the decision as the
 * ticket shows it, to be recorded. `half`: it was assigned, and nothing more.
 */
type Adopted = { kind: 'whole'; draft: DecisionDraft } | { kind: 'half'; team: string; agent: string };

/** How far the helpdesk's clock may be ahead of ours. Its stamps have fractions of a second, too. */
const aheadMs = 5 * 60_000;

/**
 * Recognises a ticket that was routed between the backup and the restore (docs/decisions.md 36); null for every other.
 * Throws HelpdeskError.
 */
export async function adoptTicket(
  ctx: AdoptNeeds,
  ticket: PipelineTicket,
  cause: TicketWork['cause'],
  signal: AbortSignal,
): Promise<Adopted | null> {
  const restore = await ctx.upkeep.lastRestore();
  if (restore === null || ticket.creation > (await ctx.helpdesk.stampOf(restore.at + aheadMs, signal))) return null;
  // Before anything is recorded: by what the records lack, the turns are told.
  await ctx.learnTurns();
  const { name, agentGroup } = ticket.file.ticket;
  const service = await ctx.helpdesk.serviceUser(signal);
  const all = await ctx.helpdesk.listAssignments(name, signal);
  const ours = all.filter((assignment) => isRoutingOf(service, assignment));
  const current = ours.findLast(({ open }) => open) ?? null;
  if (agentGroup === null) return current && { kind: 'half', team: teamOf(current), agent: current.user };
  if (ours.length === 0 && !(await isWritten(ctx, ticket, service, signal))) return null;
  const seen = { group: agentGroup, reason: ticket.reason ?? '' };
  const outcome = adoptedOutcome(seen, ctx.routing.teams);
  const assignment = adoptedAssignment(seen, {
    agent: current?.user ?? null,
    wasOurs: ours.length > 0,
    isTaken: all.some(({ open }) => open),
  });
  return { kind: 'whole', draft: draftOf(ticket, { cause, found_by: cause, outcome, assignment }, ctx.clock()) };
}

/** Group and reason can be the sender's own, unless we or the desk have written to the ticket since. */
async function isWritten(
  ctx: AdoptNeeds,
  { modifiedBy, reason, file }: PipelineTicket,
  service: string,
  signal: AbortSignal,
) {
  const group = file.ticket.agentGroup;
  const isOurs =
    reason?.includes(`Target team=${group}.`) || (group !== null && reason !== null && isKeptReason(reason, group));
  return isOurs && (modifiedBy === service || (await ctx.helpdesk.isDesk(modifiedBy, signal)));
}

function draftOf(
  { file, ...seen }: PipelineTicket,
  decided: Pick<DecisionDraft, 'cause' | 'found_by' | 'outcome' | 'assignment'>,
  now: number,
): DecisionDraft {
  const { name, agentGroup } = file.ticket;
  const { fallback } = decided.outcome;
  return {
    ticket: name,
    decided_at: new Date(now).toISOString(),
    state: 'applied',
    ...decided,
    inputs: {
      org_id: null,
      customer: null,
      findings: [],
      meta_failures: [],
      crm: fallback === 'crm' ? { status: 'error', error: null, checked_at: null, stale: false } : null,
      ticket_segment: seen.segment,
      ticket_status: seen.status,
      ticket_creation: seen.creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    link: null,
  };
}

/** Assignments are looked at from so long before the backup on: the clocks may differ. Known ones do not count. */
const overlapMs = 3_600_000;

interface Needs {
  helpdesk: Pick<HelpdeskTickets, 'serviceUser' | 'stampOf' | 'stampBefore' | 'listAssignmentsBy'>;
  decisions: Pick<Decisions, 'list' | 'setLastAgent'>;
  upkeep: Upkeep;
  withLock: WithLock;
  logger: Logger;
}

/** `Context['learnTurns']`: knows whether that is done, so that the store is asked once. */
export function createLearnTurns(ctx: Needs): Context['learnTurns'] {
  let areKnown = false;

  return async () => {
    if (areKnown) return;
    if (isDue(await ctx.upkeep.lastRestore()))
      await ctx.withLock('turns after a restore', (signal) => learnOnce(ctx, signal));
    areKnown = true;
  };
}

async function learnOnce(ctx: Needs, signal: AbortSignal): Promise<void> {
  const restore = await ctx.upkeep.lastRestore();
  if (!isDue(restore)) return;
  const turns = await lastAgents(ctx, restore, signal);
  for (const [team, agent] of turns) await ctx.decisions.setLastAgent(team, agent);
  await ctx.upkeep.noteRestore({ ...restore, turnsKnown: true });
  ctx.logger.info({ teams: turns.size }, 'After a restore, the turns of teams were read from the helpdesk');
}

async function lastAgents(ctx: Needs, { backedUpAt }: Restore, signal: AbortSignal): Promise<Map<string, string>> {
  const service = await ctx.helpdesk.serviceUser(signal);
  const since = ctx.helpdesk.stampBefore(await ctx.helpdesk.stampOf(backedUpAt, signal), overlapMs);
  const last = new Map<string, string>();
  for (const assignment of await ctx.helpdesk.listAssignmentsBy(service, since, signal)) {
    if (!isRoutingOf(service, assignment)) continue;
    const known = (await ctx.decisions.list(assignment.ticket)).map(({ assignment: { agent } }) => agent);
    if (!known.includes(assignment.user)) last.set(teamOf(assignment), assignment.user);
  }
  return last;
}

function isDue(restore: Restore | null): restore is Restore {
  return restore !== null && !restore.turnsKnown;
}

/** Decisions of which none takes a turn before the turns are known. */
export function withKnownTurns(decisions: Decisions, learnTurns: Context['learnTurns']): Decisions {
  return {
    ...decisions,
    async add(draft, after, turn) {
      if (turn !== null) await learnTurns();
      return decisions.add(draft, after, turn);
    },
    async takeTurn(id, turn, candidates) {
      await learnTurns();
      return decisions.takeTurn(id, turn, candidates);
    },
  };
}
