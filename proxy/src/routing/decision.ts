import type { RoutingDecision, RoutingOutcome } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import type { DecisionDraft, Turn } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import { openClaimOf } from '#trust/claims.ts';
import { applyDecision, openOn } from './assign.ts';
import { type DecidedBy, decideRouting, withoutTeam } from './decide.ts';
import type { Gathered } from './gather.ts';
import { eligibleAgents, turnIn } from './round-robin.ts';

/** What a decision will be: the team, and whose turn it is there. */
export interface Planned {
  outcome: RoutingOutcome;
  turn: Turn | null;
  assignment: DecisionDraft['assignment'];
}

/**
 * `after`: the number of the ticket's latest decision as far as the caller knows.
 */
interface How extends Pick<RoutingDecision, 'cause' | 'found_by' | 'repairs'> {
  after: number;
  reasonBefore?: string;
}

/** What became of a decision. `gone`: the ticket is no longer there. `again`: when to look at it again. */
interface Finished {
  state: RoutingDecision['state'] | 'gone';
  again: number | null;
}

const againAfterMs = 60_000;

/** Applies the rules. `latest`: the decision that this one would replace. Writes nothing and takes no turn. Throws HelpdeskError. */
export async function planDecision(
  ctx: Context,
  { ticket, inputs }: { ticket: PipelineTicket; inputs: DecidedBy },
  latest: RoutingDecision | null,
  signal: AbortSignal,
): Promise<Planned> {
  const outcome = decideRouting(inputs, ctx.routing);
  const nobody = { turn: null, assignment: { state: 'none' as const, candidates: [] } };
  if (outcome.team === null) return { outcome, ...nobody };
  const team = await ctx.helpdesk.people.readTeam(outcome.team, signal);
  if (team === null) return { outcome: withoutTeam(outcome, 'does not exist'), ...nobody };
  if (team.disabled) return { outcome: withoutTeam(outcome, 'is disabled'), ...nobody };
  if (latest !== null && latest.outcome.team === outcome.team)
    return { outcome, turn: null, assignment: latest.assignment };
  const { members, eligible, candidates } = eligibleAgents(team.members);
  // Someone has already dealt with it, for example while the service was down: nobody else gets it.
  if (latest === null && isDealtWith(ticket)) return { outcome, turn: null, assignment: { state: 'none', candidates } };
  if (await isTaken(ctx, ticket, outcome.team, signal))
    return { outcome, turn: null, assignment: { state: 'already_assigned', candidates } };
  if (eligible.length === 0) return { outcome, turn: null, assignment: { state: 'nobody_available', candidates } };
  return { outcome, turn: turnIn(outcome.team, members, eligible), assignment: { state: 'planned', candidates } };
}

/**
 * Records a decision before its effects, takes its turn with it, and carries it out: the one way in which decisions come
 * about, whoever causes them. If another process has decided meanwhile, nothing is done, and `state` is null; anything it
 * left open is picked up in the next round. Throws HelpdeskError.
 */
export async function keepDecision(
  ctx: Context,
  { ticket, inputs, link, fields }: Gathered,
  { cause, found_by, after, repairs, reasonBefore }: How,
  { outcome, turn, assignment }: Planned,
  signal: AbortSignal,
) {
  if (outcome.fallback === 'team_missing')
    ctx.logger.error({ fault: 'target_team_missing' }, 'The target team of a ticket cannot be used');
  else if (repairs === 'team_missing')
    ctx.logger.info({ fault_ended: 'target_team_missing' }, 'The target team of a ticket can be used again');
  const draft: DecisionDraft = {
    ticket: ticket.file.ticket.name,
    cause,
    decided_at: new Date(ctx.clock()).toISOString(),
    state: 'planned',
    inputs,
    assignment,
    link,
    outcome: reasonBefore ? { ...outcome, reason: `${outcome.reason} Before: ${reasonBefore}` } : outcome,
    ...(found_by && { found_by }),
    ...(repairs && { repairs }),
  };
  const decision = await decisions.add(ctx.db, draft, after, turn, openClaimOf(inputs));
  if (decision === null) return { state: null, again: ctx.clock() };
  ctx.metrics.ticketDecided(decision);
  return carryOut(ctx, decision, fields, ticket, signal);
}

/** Carries out a recorded decision, or what a crash left of it. Throws HelpdeskError. */
export function finishDecision(
  ctx: Context,
  decision: RoutingDecision,
  fields: RoutingFields,
  signal: AbortSignal,
): Promise<Finished> {
  return carryOut(ctx, decision, fields, null, signal);
}

async function carryOut(
  ctx: Context,
  decision: RoutingDecision,
  fields: RoutingFields,
  asRead: PipelineTicket | null,
  signal: AbortSignal,
): Promise<Finished> {
  const state = await applyDecision(ctx, decision, { fields, asRead }, signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && error.kind === 'not_found') return 'gone' as const;
    throw error;
  });
  return { state, again: state !== 'gone' && decision.outcome.fallback !== null ? ctx.clock() + againAfterMs : null };
}

/**
 * Whether the ticket already has an assignee; if a group is replaced, assignments not made by a person move along.
 */
async function isTaken(ctx: Context, ticket: PipelineTicket, team: string, signal: AbortSignal): Promise<boolean> {
  const { agentGroup } = ticket.file.ticket;
  const { ours, native, others } = await openOn(ctx, ticket, signal);
  const replaces = agentGroup !== null && agentGroup !== team;
  return others.length > 0 || (!replaces && ours.length + native.length > 0);
}

function isDealtWith({ replied, closed }: PipelineTicket): boolean {
  return replied || closed;
}
