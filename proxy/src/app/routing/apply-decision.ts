import type { RoutingDecision } from '@deskside/shared/routing';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { setByPerson } from '#app/trust/set-by-person.ts';
import { isClaim } from '#domain/routing/open-claim.ts';
import { shownReason } from '#domain/routing/shown-reason.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { assignmentText, readOpen, rivalIsFirst, type Sorted } from './assignments.ts';
import { alertOtherInstallation } from './notice-other-installation.ts';

export interface ApplyDeps {
  tickets: HelpdeskTickets;
  decisions: Pick<Decisions, 'list' | 'update'>;
  gate: Pick<AgentGate, 'forgetTicket'>;
  logger: Logger;
}

/**
 * Carries out a decision in the helpdesk: first the assignment, then group, reason and profile fields in one write
 * (docs/decisions.md 25). Every step checks what is already there, so that after a crash only the rest is done. What a
 * person did meanwhile stays. Throws HelpdeskError, and `changed_since` if the ticket keeps changing.
 *
 * @param fields what else to write to the ticket; null: only the reason, if the rest has been written before
 */
export type ApplyDecision = (
  decision: RoutingDecision,
  fields: RoutingFields | null,
  signal: AbortSignal,
) => Promise<RoutingDecision['state']>;

const maxTries = 5;

export function createApplyDecision(deps: ApplyDeps): ApplyDecision {
  const { tickets, decisions } = deps;

  return async (decision, fields, signal) => {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const ticket = await tickets.readPipelineTicket(decision.ticket, signal);
      if (decision.cause === 'confirmed') {
        if (await writeConfirmed(decision, ticket, fields, signal)) return 'applied';
        continue;
      }
      if (await isDealtWith(decision, ticket, signal)) {
        await decisions.update(decision.id, { state: 'overruled' });
        return 'overruled';
      }
      if (await isOverruled(decision, ticket, signal)) {
        if (await overrule(decision, ticket, signal)) return 'overruled';
        continue;
      }
      const assignment = await settleAssignment(decision, signal);
      if (assignment === 'left_to_rival') {
        await decisions.update(decision.id, { state: 'overruled', assignment: { state: 'withdrawn' } });
        return 'overruled';
      }
      const blank = isClaim(decision.inputs) && !(await setByPerson(tickets, ticket, signal));
      const desired = { ...writtenFields(decision, assignment, ticket, fields), ...(blank && blanksOf(decision)) };
      const written = await tickets.writeRouting(ticket, desired, signal);
      if (written === 'changed_meanwhile') continue;
      if (written.length > 0) deps.gate.forgetTicket(decision.ticket);
      const agent = assignment === 'assigned' ? decision.assignment.agent : null;
      await decisions.update(decision.id, { state: 'applied', assignment: { state: assignment, agent } });
      return 'applied';
    }
    throw new AppError('changed_since');
  };

  /**
   * What to write to a claim's ticket once the claim is confirmed. A person may have changed its team and agent by now.
   */
  async function writeConfirmed(
    decision: RoutingDecision,
    ticket: PipelineTicket,
    fields: RoutingFields | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { agentGroup: _, reason, ...desired } = writtenFields(decision, decision.assignment.state, ticket, fields);
    const isOurs = ticket.file.ticket.agentGroup === decision.outcome.team;
    const written = await tickets.writeRouting(ticket, { ...desired, ...(isOurs && reason && { reason }) }, signal);
    if (written === 'changed_meanwhile') return false;
    if (written.length > 0) deps.gate.forgetTicket(decision.ticket);
    await decisions.update(decision.id, { state: 'applied' });
    return true;
  }

  /** A repair moves nothing that an agent has taken up since it was decided (docs/decisions.md 26). */
  async function isDealtWith(
    { cause, inputs, ticket: name }: RoutingDecision,
    ticket: PipelineTicket,
    signal: AbortSignal,
  ) {
    if (cause !== 'repair') return false;
    if (ticket.replied || ticket.status !== inputs.ticket_status) return true;
    const { rivals, others } = await readOpen(deps, name, signal);
    return rivals.length + others.length > 0;
  }

  /** The ticket has a group that is neither the one we decided on nor the one we decided to replace. */
  async function isOverruled({ inputs, outcome }: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const group = ticket.file.ticket.agentGroup;
    if (group === null || group === outcome.team || group === inputs.agent_group?.name) return false;
    return setByPerson(tickets, ticket, signal);
  }

  /**
   * Someone has set the group: it stays, with their assignments, and ours is removed. False if the ticket has changed.
   */
  async function overrule(decision: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal): Promise<boolean> {
    const { ours } = await readOpen(deps, decision.ticket, signal);
    for (const { id } of ours) await tickets.withdraw(id, signal);
    const reason = `Manual routing kept: ${ticket.file.ticket.agentGroup}.`;
    if ((await tickets.writeRouting(ticket, { reason }, signal)) === 'changed_meanwhile') return false;
    deps.gate.forgetTicket(decision.ticket);
    const state = decision.assignment.state === 'planned' || ours.length > 0 ? 'withdrawn' : decision.assignment.state;
    await decisions.update(decision.id, { state: 'overruled', reason, assignment: { state } });
    return true;
  }

  /** `left_to_rival`: another installation was first, and the ticket is its. */
  async function settleAssignment(
    decision: RoutingDecision,
    signal: AbortSignal,
  ): Promise<RoutingDecision['assignment']['state'] | 'left_to_rival'> {
    const { state, agent } = decision.assignment;
    const { team } = decision.outcome;
    if (team === null || !['planned', 'nobody_available', 'already_assigned'].includes(state)) return state;
    const text = assignmentText(team);
    const isOurs = (a: { user: string; description: string }) => a.user === agent && a.description === text;
    const before = await readOpen(deps, decision.ticket, signal);
    if (await isLeftToRival(before, decision.ticket, signal)) return 'left_to_rival';
    if (state === 'already_assigned') return state;
    if (movesAssignment(decision)) {
      // Never two open assignments: one made by a native rule or by an earlier decision of ours goes first.
      for (const { id } of [...before.ours.filter((a) => !isOurs(a)), ...before.native])
        await tickets.withdraw(id, signal);
    } else if (before.native.length > 0) return withdrawOurs(before, signal);
    if (before.others.length > 0) return withdrawOurs(before, signal);
    if (state === 'nobody_available' || agent === null) return 'nobody_available';
    if (!before.ours.some(isOurs)) await tickets.assign(decision.ticket, agent, text, signal);
    return lookAgain(decision.ticket, isOurs, signal);
  }

  /**
   * Simultaneous calls can leave two open assignments (docs/helpdesk.md#assignment): the oldest of ours stays, if any
   * may.
   */
  async function lookAgain(
    ticket: string,
    isOurs: (a: { user: string; description: string }) => boolean,
    signal: AbortSignal,
  ) {
    const after = await readOpen(deps, ticket, signal);
    if (await isLeftToRival(after, ticket, signal)) return 'left_to_rival';
    if (after.others.length > 0 || after.native.length > 0) return withdrawOurs(after, signal);
    const [, ...surplus] = after.ours.filter(isOurs);
    for (const { id } of surplus) await tickets.withdraw(id, signal);
    return 'assigned' as const;
  }

  async function isLeftToRival(sorted: Sorted, ticket: string, signal: AbortSignal): Promise<boolean> {
    if (sorted.rivals.length > 0) alertOtherInstallation(deps.logger, ticket);
    if (!rivalIsFirst(sorted)) return false;
    await withdrawOurs(sorted, signal);
    return true;
  }

  async function withdrawOurs({ ours }: Sorted, signal: AbortSignal) {
    for (const { id } of ours) await tickets.withdraw(id, signal);
    return 'already_assigned' as const;
  }
}

/** Whether to move assignments that no person made: the decision replaces a group that was already set. */
function movesAssignment({ inputs, outcome }: RoutingDecision): boolean {
  return inputs.agent_group !== null && inputs.agent_group.name !== outcome.team;
}

/** For a kept group only the reason is written; for a team that does not exist, everything but the group. */
function writtenFields(
  { outcome, inputs, decided_at }: RoutingDecision,
  assignment: RoutingDecision['assignment']['state'],
  ticket: PipelineTicket,
  fields: RoutingFields | null,
): RoutingFields {
  const { team } = outcome;
  const reason = shownReason(outcome, assignment);
  if (fields === null) return { reason };
  const found = stillEmpty(ticket, fields);
  if (team === null && inputs.agent_group !== null && outcome.fallback !== 'team_missing') return { ...found, reason };
  const claimed = isClaim(inputs);
  if (claimed && inputs.claims === 'route') {
    const { status, error } = outcome;
    return { ...found, ...(team !== null && { agentGroup: team }), status, error, reason };
  }
  return {
    ...found,
    ...(team !== null && { agentGroup: team }),
    segment: outcome.segment,
    shopplan: outcome.shopplan,
    servicePlan: outcome.service_plan ?? '',
    status: outcome.status,
    error: outcome.error,
    reason,
    ...(!claimed && { checkedAt: Date.parse(decided_at) }),
  };
}

/**
 * The service's own fields as they must stay while only the sender vouches for the company: anything that senders
 * filled in themselves would read as ours (docs/decisions.md 10). Under rules that write segment and plan, those are
 * overwritten anyway.
 */
function blanksOf({ inputs }: RoutingDecision): RoutingFields {
  const times = { checkedAt: null, crmLastCheckedAt: null, crmNotFoundAt: null, responsible: '' };
  return inputs.claims === 'route' ? { ...times, segment: '', shopplan: '', servicePlan: '' } : times;
}

/** What intake found fills what is empty; what somebody has typed since stays. */
function stillEmpty({ file, ...ticket }: PipelineTicket, { orgId, platformDomain, ...rest }: RoutingFields) {
  const hasOrgId = file.ticket.orgIdFields.some(({ kind, value }) => kind === 'current' && value);
  return {
    ...rest,
    ...(orgId !== undefined && !hasOrgId && { orgId }),
    ...(platformDomain !== undefined && ticket.platformDomain === null && { platformDomain }),
  };
}
