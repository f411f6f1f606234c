import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import { isSuperseded } from '#crm/lookup.ts';
import type { PipelineTicket } from '#helpdesk/ticket-file.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import type { Turn } from '#store/turn.ts';
import { openClaimOf } from '#trust/companies.ts';
import { openOn } from './assign.ts';
import { decideRouting, type RuleInputs, withoutTeam } from './decide.ts';
import type { EnrichedCase } from './enrich-and-link.ts';
import { eligibleAgents } from './round-robin.ts';

/** What a decision will be: the team, and whose turn it is there. */
export interface DecisionPlan extends Pick<DecisionDraft, 'outcome' | 'assignment'> {
  turn: Turn | null;
}

/**
 * Applies the rules. Writes nothing and takes no turn. Throws HelpdeskError.
 *
 * @param latest the decision that this one would replace; null for a ticket's first
 */
export async function planDecision(
  ctx: Work,
  { ticket, inputs }: { ticket: PipelineTicket; inputs: RuleInputs },
  latest: RoutingDecision | null,
): Promise<DecisionPlan> {
  const outcome = decideRouting(inputs, ctx.routing);
  const noTurn = (assignment: DecisionPlan['assignment']) => ({ outcome, turn: null, assignment });
  const nobody = noTurn({ state: 'none', candidates: [] });
  if (outcome.team === null) return nobody;
  const team = await ctx.helpdesk.people.readTeam(outcome.team, ctx.signal);
  if (team === null) return { ...nobody, outcome: withoutTeam(outcome, 'does not exist') };
  if (team.disabled) return { ...nobody, outcome: withoutTeam(outcome, 'is disabled') };
  if (latest !== null && latest.outcome.team === outcome.team) return noTurn(latest.assignment);
  const { members, eligible, candidates } = eligibleAgents(team.members);
  // Someone has already dealt with it, for example while the service was down: nobody else gets it.
  if (latest === null && (ticket.replied || ticket.closed)) return noTurn({ state: 'none', candidates });
  if (await isTaken(ctx, ticket, outcome.team)) return noTurn({ state: 'already_assigned', candidates });
  if (eligible.length === 0) return noTurn({ state: 'nobody_available', candidates });
  const turn = { team: outcome.team, members, eligible };
  return { outcome, turn, assignment: { state: 'planned', candidates } };
}

/** `after`: the number of the ticket's latest decision as far as the caller knows. */
type Cause = Pick<RoutingDecision, 'cause' | 'found_by' | 'repairs'> & { after: number };

/**
 * Records a decision before its effects, and takes its turn with it: the one way in which decisions come about, whoever causes
 * them. Null if another process has decided meanwhile.
 */
export async function recordDecision(
  ctx: Work,
  { ticket, inputs, link }: EnrichedCase,
  { outcome, turn, assignment }: DecisionPlan,
  { after, ...cause }: Cause,
): Promise<RoutingDecision | null> {
  const { name } = ticket.file.ticket;
  if (outcome.fallback === 'team_missing') {
    const { team } = decideRouting(inputs, ctx.routing);
    ctx.logger.error(
      { fault: 'target_team_missing', team, ticket: name },
      'The target team of a ticket cannot be used',
    );
  } else if (cause.repairs === 'team_missing')
    ctx.logger.info({ fault_ended: 'target_team_missing' }, 'The target team of a ticket can be used again');
  const draft: DecisionDraft = {
    ...cause,
    ticket: name,
    decided_at: new Date(ctx.clock()).toISOString(),
    state: 'planned',
    inputs,
    assignment,
    link,
    outcome,
  };
  const claimed = openClaimOf(inputs);
  const decision = await decisions.add(ctx.db, draft, after, turn, claimed);
  if (decision === null) return null;
  ctx.metrics.ticketDecided(decision);
  // What the CRM announced until now found no claim that it could have judged again.
  if (claimed !== null && (await isSupersededIn(ctx, claimed, inputs.crm)))
    await tickets.enqueue(ctx.db, [ticket.file.ticket], { dueAt: ctx.clock(), now: ctx.clock() });
  return decision;
}

/** Whether the CRM's answer to a decision is not its last word. What was decided without an answer is decided again anyway. */
async function isSupersededIn({ crm }: Work, orgId: OrgId, answer: RoutingDecision['inputs']['crm']): Promise<boolean> {
  if (crm === null || !answer?.checked_at || answer.status === 'error') return false;
  return isSuperseded(crm, orgId, Date.parse(answer.checked_at));
}

/** Whether the ticket already has an assignee; if a group is replaced, assignments not made by a person move along. */
async function isTaken(ctx: Work, ticket: PipelineTicket, team: string): Promise<boolean> {
  const { agentGroup } = ticket.file.ticket;
  const { ours, native, others } = await openOn(ctx, ticket);
  const replaces = agentGroup !== null && agentGroup !== team;
  return others.length > 0 || (!replaces && ours.length + native.length > 0);
}
