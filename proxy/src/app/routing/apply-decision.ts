import type { RoutingDecision } from '@deskside/shared/routing';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { fieldsOfDesk, setByPerson } from '#app/trust/set-by-person.ts';
import { undoesMove } from '#domain/routing/inputs-of-sync.ts';
import { isClaim } from '#domain/routing/open-claim.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { assignmentText, openOn, readOpen, rivalIsFirst, type Sorted } from './assignments.ts';
import { alertOtherInstallation } from './notice-other-installation.ts';
import { blanksOf, reopenedFields, writtenFields } from './written-fields.ts';

export interface ApplyDeps {
  tickets: HelpdeskTickets;
  decisions: Pick<Decisions, 'list' | 'update' | 'firstState'>;
  gate: Pick<AgentGate, 'forgetTicket'>;
  logger: Logger;
}

/**
 * Carries out a decision in the helpdesk: first the assignment, then group, reason and profile fields in one write
 * (docs/decisions.md 25). Every step checks what is already there, so that after a crash only the rest is done. What a
 * person did meanwhile stays. Throws HelpdeskError, and `changed_since` if the ticket keeps changing.
 *
 * @param with.fields what else to write to the ticket; null: only the reason, if the rest has been written before
 * @param with.asRead the ticket as it was read just now; null: something of ours may have failed, so that it is read here,
 *   and its assignments whomever it names
 */
export type ApplyDecision = (
  decision: RoutingDecision,
  how: { fields: RoutingFields | null; asRead: PipelineTicket | null },
  signal: AbortSignal,
) => Promise<RoutingDecision['state']>;

const maxTries = 5;

export function createApplyDecision(deps: ApplyDeps): ApplyDecision {
  const { tickets, decisions } = deps;

  return async (decision, { fields, asRead }, signal) => {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const known = attempt === 1 ? asRead : null;
      const ticket = known ?? (await tickets.readPipelineTicket(decision.ticket, signal));
      if (staysPut(decision)) {
        if (await writeInPlace(decision, ticket, fields, signal)) return 'applied';
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
      const isMoving = movesAssignment(decision) && ticket.file.ticket.agentGroup !== decision.outcome.team;
      const before = () =>
        known === null ? readOpen(deps, decision.ticket, signal, ticket.assignees) : openOn(deps, known, signal);
      const assignment = await settleAssignment(decision, before, isMoving, signal);
      if (assignment === 'left_to_rival') {
        await decisions.update(decision.id, { state: 'overruled', assignment: { state: 'withdrawn' } });
        return 'overruled';
      }
      const blanks = isClaim(decision.inputs) ? blanksOf(decision, fields, await ofDesk(ticket, signal)) : {};
      const desired = { ...blanks, ...writtenFields(decision, assignment, ticket, fields) };
      const written = await tickets.writeRouting(ticket, desired, signal);
      if (written === 'changed_meanwhile') continue;
      if (written.length > 0) deps.gate.forgetTicket(decision.ticket);
      // Setting the group makes a native rule assign: then somebody has it, and the reason says so.
      if (assignment === 'nobody_available' && written.length > 0 && (await isTaken(decision.ticket, signal))) continue;
      const agent = assignment === 'assigned' ? decision.assignment.agent : null;
      await decisions.update(decision.id, { state: 'applied', assignment: { state: assignment, agent } });
      return 'applied';
    }
    throw new AppError('changed_since');
  };

  /** False if the ticket has changed meanwhile. */
  async function writeInPlace(
    decision: RoutingDecision,
    ticket: PipelineTicket,
    fields: RoutingFields | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const written =
      decision.cause === 'confirmed'
        ? await writeConfirmed(decision, ticket, fields, signal)
        : await writeReopened(decision, ticket, signal);
    if (written === 'changed_meanwhile') return false;
    if (written.length > 0) deps.gate.forgetTicket(decision.ticket);
    await decisions.update(decision.id, { state: 'applied' });
    return true;
  }

  /**
   * What to write to a claim's ticket once the claim is confirmed. A person may have changed its team and agent by now.
   */
  function writeConfirmed(
    decision: RoutingDecision,
    ticket: PipelineTicket,
    fields: RoutingFields | null,
    signal: AbortSignal,
  ) {
    const { agentGroup: _, reason, ...desired } = writtenFields(decision, decision.assignment.state, ticket, fields);
    const isOurs = ticket.file.ticket.agentGroup === decision.outcome.team;
    return tickets.writeRouting(ticket, { ...desired, ...(isOurs && reason && { reason }) }, signal);
  }

  /** What a person has changed since the claim was confirmed stays. */
  async function writeReopened(claim: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const confirmed = (await decisions.list(claim.ticket)).find(({ number }) => number === claim.number - 1);
    if (confirmed === undefined) return [];
    const { written, instead } = reopenedFields(claim, confirmed, ticket, await ofDesk(ticket, signal));
    return tickets.clearRouting(ticket, written, instead, signal);
  }

  async function ofDesk(ticket: PipelineTicket, signal: AbortSignal) {
    const first = await decisions.firstState(ticket.file.ticket.name, ticket.creation);
    return fieldsOfDesk(tickets, ticket, first, signal);
  }

  /** A repair moves nothing that an agent has taken up since it was decided (docs/decisions.md 26). */
  async function isDealtWith({ cause, inputs }: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    if (cause !== 'repair') return false;
    if (ticket.replied || ticket.status !== inputs.ticket_status) return true;
    const { rivals, others } = await openOn(deps, ticket, signal);
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
    readBefore: () => Promise<Sorted>,
    isMoving: boolean,
    signal: AbortSignal,
  ): Promise<RoutingDecision['assignment']['state'] | 'left_to_rival'> {
    const { state, agent } = decision.assignment;
    const { team } = decision.outcome;
    if (team === null || !['planned', 'nobody_available', 'already_assigned'].includes(state)) return state;
    const text = assignmentText(team);
    const isOurs = (a: { user: string; description: string }) => a.user === agent && a.description === text;
    const before = await readBefore();
    if (await isLeftToRival(before, decision.ticket, signal)) return 'left_to_rival';
    if (state === 'already_assigned') return state;
    if (isMoving) {
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
    const [kept, ...surplus] = after.ours.filter(isOurs);
    // It said yes and has nothing, as after a rollback: told as a failure, it is tried again.
    if (kept === undefined)
      throw new HelpdeskError('bad_answer', 'The helpdesk took an assignment and does not have it.');
    for (const { id } of surplus) await tickets.withdraw(id, signal);
    return 'assigned' as const;
  }

  async function isTaken(ticket: string, signal: AbortSignal): Promise<boolean> {
    const assignees = await tickets.assigneesOf(ticket, signal);
    if (assignees.length === 0) return false;
    const { native, others } = await readOpen(deps, ticket, signal, assignees);
    return native.length + others.length > 0;
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

/**
 * Whether team and agent stay as they are: a claim is confirmed, or no longer. Not while somebody is being assigned to a
 * ticket that had waited for it.
 */
function staysPut(decision: RoutingDecision): boolean {
  const { cause, assignment } = decision;
  if (assignment.state === 'planned') return false;
  return cause === 'confirmed' || (cause === 'sync_undone' && !undoesMove(decision));
}
