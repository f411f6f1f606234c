import type { RoutingDecision } from '@deskside/shared/routing';
import { eligibleAgents } from '../domain/eligible-agents.ts';
import type { Clock } from '../ports/clock.ts';
import type { Decisions } from '../ports/decisions.ts';
import { HelpdeskError } from '../ports/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket } from '../ports/helpdesk-tickets.ts';
import type { Inbox } from '../ports/inbox.ts';
import type { ApplyDecision } from './apply-decision.ts';
import { sortOpen } from './assignments.ts';
import type { Exclusively } from './exclusively.ts';

export interface AssignWaitingDeps {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  inbox: Pick<Inbox, 'enqueue'>;
  apply: ApplyDecision;
  exclusively: Exclusively;
  clock: Clock;
}

/**
 * Gives tickets that found nobody available to those who have come back, the oldest ticket first. Gives how many were
 * assigned. Throws HelpdeskError; what is left waits for the next time.
 */
export type AssignWaiting = (signal: AbortSignal) => Promise<number>;

const mostAtOnce = 1_000;
/** Should the process die between a turn and its effect, the pipeline finishes it after so long. */
const finishAfterMs = 60_000;

export function createAssignWaiting(deps: AssignWaitingDeps): AssignWaiting {
  const { tickets, decisions } = deps;

  return async (signal) => {
    let assigned = 0;
    for (const decision of await decisions.waitingForAgent(mostAtOnce)) {
      const { team } = decision.outcome;
      const roster = team === null ? null : await tickets.readTeam(team, signal);
      if (team === null || roster === null || eligibleAgents(roster.members).eligible.length === 0) continue;
      const isAssigned = await deps.exclusively(`ticket ${decision.ticket}`, (own) =>
        assignOne(decision, eligibleAgents(roster.members), team, AbortSignal.any([own, signal])),
      );
      if (isAssigned) assigned += 1;
    }
    return assigned;
  };

  async function assignOne(
    decision: RoutingDecision,
    { members, eligible, candidates }: ReturnType<typeof eligibleAgents>,
    team: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const ticket = await read(decision.ticket, signal);
    if (ticket === null || ticket.file.ticket.agentGroup !== team) {
      await decisions.update(decision.id, { state: 'overruled', assignment: { state: 'none' } });
      return false;
    }
    const { ours, native, others } = sortOpen(
      await tickets.listAssignments(decision.ticket, signal),
      await tickets.serviceUser(signal),
    );
    if (ours.length + native.length + others.length > 0) {
      await decisions.update(decision.id, { assignment: { state: 'already_assigned' } });
      return false;
    }
    await deps.inbox.enqueue([decision.ticket], deps.clock() + finishAfterMs, deps.clock());
    const turned = await decisions.takeTurn(decision.id, { team, members, eligible }, candidates);
    if (turned === null) return false;
    await deps.apply(turned, {}, signal);
    return true;
  }

  async function read(name: string, signal: AbortSignal): Promise<PipelineTicket | null> {
    return tickets.readPipelineTicket(name, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return null;
      throw error;
    });
  }
}
