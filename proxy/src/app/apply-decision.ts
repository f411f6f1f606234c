import type { RoutingDecision } from '@deskside/shared/routing';
import type { Decisions } from '../ports/decisions.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '../ports/helpdesk-tickets.ts';
import { AppError } from './app-error.ts';
import { assignmentText, type Sorted, sortOpen } from './assignments.ts';
import type { Gate } from './open-ticket.ts';
import { setByPerson } from './set-by-person.ts';

export interface ApplyDeps {
  tickets: HelpdeskTickets;
  decisions: Pick<Decisions, 'update'>;
  gate: Pick<Gate, 'forgetTicket'>;
  claims: 'accept' | 'propose';
}

/**
 * Brings the helpdesk to what a decision says: first the assignment, then group, reason and profile fields in one write
 * (design.md, decision 25). Every part looks at what is there before, so that after a crash the rest is done and nothing
 * twice. A person who was faster keeps what he did. Throws HelpdeskError, and `changed_since` where the ticket never
 * stands still.
 *
 * @param fields what the ticket is told besides the routing itself; null: nothing but the reason, for a ticket that has
 *   been told everything before
 */
export type ApplyDecision = (
  decision: RoutingDecision,
  fields: RoutingFields | null,
  signal: AbortSignal,
) => Promise<RoutingDecision['state']>;

const mostTries = 5;
const waits = 'Nobody is available; it is assigned as soon as somebody is back.';

export function createApplyDecision(deps: ApplyDeps): ApplyDecision {
  const { tickets, decisions } = deps;

  return async (decision, fields, signal) => {
    for (let attempt = 1; attempt <= mostTries; attempt += 1) {
      const ticket = await tickets.readPipelineTicket(decision.ticket, signal);
      if (await isDealtWith(decision, ticket, signal)) {
        await decisions.update(decision.id, { state: 'overruled' });
        return 'overruled';
      }
      if (await isOverruled(decision, ticket, signal)) {
        if (await overrule(decision, ticket, signal)) return 'overruled';
        continue;
      }
      const assignment = await settleAssignment(decision, signal);
      const written = await tickets.writeRouting(ticket, writtenFields(decision, assignment, ticket, fields), signal);
      if (written === 'changed_meanwhile') continue;
      if (written.length > 0) deps.gate.forgetTicket(decision.ticket);
      const agent = assignment === 'assigned' ? decision.assignment.agent : null;
      await decisions.update(decision.id, { state: 'applied', assignment: { state: assignment, agent } });
      return 'applied';
    }
    throw new AppError('changed_since');
  };

  /** A repair moves nothing that somebody of the desk has taken up since it was decided (design.md, decision 26). */
  async function isDealtWith(
    { cause, inputs, ticket: name }: RoutingDecision,
    ticket: PipelineTicket,
    signal: AbortSignal,
  ) {
    if (cause !== 'repair') return false;
    if (ticket.replied || ticket.status !== inputs.ticket_status) return true;
    return (await openOf(name, signal)).others.length > 0;
  }

  /** A group stands on the ticket that is neither what we decided nor what we decided to replace. */
  async function isOverruled({ inputs, outcome }: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const group = ticket.file.ticket.agentGroup;
    if (group === null || group === outcome.team || group === inputs.agent_group?.name) return false;
    return deps.claims === 'accept' || setByPerson(tickets, ticket, signal);
  }

  /** The group is somebody's by now: it stays, and so do his assignments; ours goes. False where the ticket has changed. */
  async function overrule(decision: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal): Promise<boolean> {
    const { ours } = await openOf(decision.ticket, signal);
    for (const { id } of ours) await tickets.withdraw(id, signal);
    const reason = `Manual routing kept: ${ticket.file.ticket.agentGroup}.`;
    if ((await tickets.writeRouting(ticket, { reason }, signal)) === 'changed_meanwhile') return false;
    deps.gate.forgetTicket(decision.ticket);
    const state = decision.assignment.state === 'planned' || ours.length > 0 ? 'withdrawn' : decision.assignment.state;
    await decisions.update(decision.id, { state: 'overruled', reason, assignment: { state } });
    return true;
  }

  async function settleAssignment(
    decision: RoutingDecision,
    signal: AbortSignal,
  ): Promise<RoutingDecision['assignment']['state']> {
    const { state, agent } = decision.assignment;
    const { team } = decision.outcome;
    if (team === null || (state !== 'planned' && state !== 'nobody_available')) return state;
    const text = assignmentText(team);
    const isOurs = (a: { user: string; description: string }) => a.user === agent && a.description === text;
    const before = await openOf(decision.ticket, signal);
    if (movesAssignment(decision)) {
      // Never two open ones: what a native rule or an earlier decision of ours assigned goes first.
      for (const { id } of [...before.ours.filter((a) => !isOurs(a)), ...before.native])
        await tickets.withdraw(id, signal);
    } else if (before.native.length > 0) return withdrawOurs(before, signal);
    if (before.others.length > 0) return withdrawOurs(before, signal);
    if (state === 'nobody_available' || agent === null) return 'nobody_available';
    if (!before.ours.some(isOurs)) await tickets.assign(decision.ticket, agent, text, signal);
    return lookAgain(decision.ticket, isOurs, signal);
  }

  /** Simultaneous calls can leave two open assignments (facts/live.md section 5): of ours the oldest stays, if any may. */
  async function lookAgain(
    ticket: string,
    isOurs: (a: { user: string; description: string }) => boolean,
    signal: AbortSignal,
  ) {
    const after = await openOf(ticket, signal);
    if (after.others.length > 0 || after.native.length > 0) return withdrawOurs(after, signal);
    const [, ...surplus] = after.ours.filter(isOurs);
    for (const { id } of surplus) await tickets.withdraw(id, signal);
    return 'assigned' as const;
  }

  async function withdrawOurs({ ours }: Sorted, signal: AbortSignal) {
    for (const { id } of ours) await tickets.withdraw(id, signal);
    return 'already_assigned' as const;
  }

  async function openOf(ticket: string, signal: AbortSignal): Promise<Sorted> {
    return sortOpen(await tickets.listAssignments(ticket, signal), await tickets.serviceUser(signal));
  }
}

/** Whether assignments that no person made are moved: the decision puts another group in the place of one that stood. */
function movesAssignment({ inputs, outcome }: RoutingDecision): boolean {
  return inputs.agent_group !== null && inputs.agent_group.name !== outcome.team;
}

/** Of a kept group only the reason is told; of a team that does not exist, everything but the group. */
function writtenFields(
  { outcome, inputs, decided_at }: RoutingDecision,
  assignment: RoutingDecision['assignment']['state'],
  ticket: PipelineTicket,
  fields: RoutingFields | null,
): RoutingFields {
  const { team } = outcome;
  const reason = assignment === 'nobody_available' ? `${outcome.reason} ${waits}` : outcome.reason;
  if (fields === null) return { reason };
  const found = stillEmpty(ticket, fields);
  if (team === null && inputs.agent_group !== null && outcome.fallback !== 'team_missing') return { ...found, reason };
  return {
    ...found,
    ...(team !== null && { agentGroup: team }),
    segment: outcome.segment,
    shopplan: outcome.shopplan,
    servicePlan: outcome.service_plan ?? '',
    status: outcome.status,
    error: outcome.error,
    reason,
    checkedAt: Date.parse(decided_at),
  };
}

/** What intake found fills what is empty; what somebody has typed since stays. */
function stillEmpty({ file, intakeFields }: PipelineTicket, { orgId, platformDomain, ...rest }: RoutingFields) {
  const hasOrgId = file.ticket.orgIdFields.some(({ field, value }) => field === 'custom_orgid' && value);
  const hasDomain = intakeFields.some(({ field }) => /my_?platform_domain$/.test(field));
  return {
    ...rest,
    ...(orgId !== undefined && !hasOrgId && { orgId }),
    ...(platformDomain !== undefined && !hasDomain && { platformDomain }),
  };
}
