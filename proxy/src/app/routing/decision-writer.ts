import type { RoutingDecision, RoutingOutcome } from '@deskside/shared/routing';
import { decideRouting, type RoutingConfig, withoutTeam } from '#domain/routing/decide-routing.ts';
import { eligibleAgents } from '#domain/routing/eligible-agents.ts';
import { isOpenClaim } from '#domain/routing/open-claim.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { DecisionDraft, Decisions, Turn } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { ApplyDecision } from './apply-decision.ts';
import { openOn } from './assignments.ts';
import type { Gathered } from './gather-routing-inputs.ts';

/** What a decision will be: the team, and whose turn it is there. */
export interface Planned {
  outcome: RoutingOutcome;
  turn: Turn | null;
  assignment: DecisionDraft['assignment'];
}

/**
 * `after`: the number of the ticket's latest decision as far as the caller knows.
 */
interface How extends Pick<RoutingDecision, 'cause' | 'found_by' | 'repairs' | 'sync'> {
  after: number;
  reasonBefore?: string;
}

/** What became of a decision. `gone`: the ticket is no longer there. `again`: when to look at it again. */
interface Finished {
  state: RoutingDecision['state'] | 'gone';
  again: number | null;
}

/** The one way in which decisions come about, whoever causes them. All methods throw HelpdeskError. */
export interface DecisionWriter {
  /** Applies the rules. `latest`: the decision that this one would replace. Writes nothing and takes no turn. */
  plan(
    gathered: Pick<Gathered, 'ticket' | 'inputs'>,
    latest: RoutingDecision | null,
    signal: AbortSignal,
  ): Promise<Planned>;
  /**
   * Records a decision before its effects, takes its turn with it, and carries it out. If another process has decided
   * meanwhile, nothing is done, and `state` is null; anything it left open is picked up in the next round.
   */
  keep(
    gathered: Gathered,
    how: How,
    planned: Planned,
    signal: AbortSignal,
  ): Promise<{ state: Finished['state'] | null; again: number | null }>;
  /** Carries out a recorded decision, or what a crash left of it. */
  finish(decision: RoutingDecision, fields: RoutingFields, signal: AbortSignal): Promise<Finished>;
}

const againAfterMs = 60_000;

export function createDecisionWriter(deps: {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  apply: ApplyDecision;
  routing: RoutingConfig;
  clock: Clock;
  logger: Logger;
}): DecisionWriter {
  const { tickets, decisions, clock } = deps;
  return { plan, keep, finish };

  async function plan(
    { ticket, inputs }: Pick<Gathered, 'ticket' | 'inputs'>,
    latest: RoutingDecision | null,
    signal: AbortSignal,
  ): Promise<Planned> {
    const outcome = decideRouting(inputs, deps.routing);
    const nobody = { turn: null, assignment: { state: 'none' as const, candidates: [] } };
    if (outcome.team === null) return { outcome, ...nobody };
    const team = await tickets.readTeam(outcome.team, signal);
    if (team === null) return { outcome: withoutTeam(outcome, 'does not exist'), ...nobody };
    if (team.disabled) return { outcome: withoutTeam(outcome, 'is disabled'), ...nobody };
    if (latest !== null && latest.outcome.team === outcome.team)
      return { outcome, turn: null, assignment: latest.assignment };
    const { members, eligible, candidates } = eligibleAgents(team.members);
    // Someone has already dealt with it, for example while the service was down: nobody else gets it.
    if (latest === null && isDealtWith(ticket))
      return { outcome, turn: null, assignment: { state: 'none', candidates } };
    if (await isTaken(ticket, outcome.team, signal))
      return { outcome, turn: null, assignment: { state: 'already_assigned', candidates } };
    if (eligible.length === 0) return { outcome, turn: null, assignment: { state: 'nobody_available', candidates } };
    return { outcome, turn: { team: outcome.team, members, eligible }, assignment: { state: 'planned', candidates } };
  }

  async function keep(
    { ticket, inputs, link, fields }: Gathered,
    { cause, found_by, sync, after, repairs, reasonBefore }: How,
    { outcome, turn, assignment }: Planned,
    signal: AbortSignal,
  ) {
    if (outcome.fallback === 'team_missing')
      deps.logger.error({ alert: 'target_team_missing' }, 'The target team of a ticket cannot be used');
    else if (repairs === 'team_missing')
      deps.logger.info({ alert_ended: 'target_team_missing' }, 'The target team of a ticket can be used again');
    const draft: DecisionDraft = {
      ticket: ticket.file.ticket.name,
      cause,
      decided_at: new Date(clock()).toISOString(),
      state: 'planned',
      ...{ inputs, assignment, link },
      outcome: reasonBefore ? { ...outcome, reason: `${outcome.reason} Before: ${reasonBefore}` } : outcome,
      ...(found_by && { found_by }),
      ...(repairs && { repairs }),
      ...(sync && { sync }),
    };
    const decision = await decisions.add(draft, after, turn);
    return decision === null ? { state: null, again: clock() } : carryOut(decision, fields, ticket, signal);
  }

  function finish(decision: RoutingDecision, fields: RoutingFields, signal: AbortSignal): Promise<Finished> {
    return carryOut(decision, fields, null, signal);
  }

  async function carryOut(
    decision: RoutingDecision,
    fields: RoutingFields,
    asRead: PipelineTicket | null,
    signal: AbortSignal,
  ): Promise<Finished> {
    const state = await deps.apply(decision, { fields, asRead }, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return 'gone' as const;
      throw error;
    });
    const isOpen = decision.outcome.fallback !== null || isOpenClaim(decision);
    return { state, again: state !== 'gone' && isOpen ? clock() + againAfterMs : null };
  }

  /**
   * Whether the ticket already has an assignee; if a group is replaced, assignments not made by a person move along.
   */
  async function isTaken(ticket: PipelineTicket, team: string, signal: AbortSignal): Promise<boolean> {
    const { agentGroup } = ticket.file.ticket;
    const { ours, native, rivals, others } = await openOn(deps, ticket, signal);
    const replaces = agentGroup !== null && agentGroup !== team;
    return rivals.length + others.length > 0 || (!replaces && ours.length + native.length > 0);
  }
}

function isDealtWith({ replied, closed }: PipelineTicket): boolean {
  return replied || closed;
}
