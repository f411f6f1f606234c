import { reasonOf } from '#app/runtime/background.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { eligibleAgents } from '#domain/routing/eligible-agents.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Inbox } from '#ports/intake/inbox.ts';
import type { Decisions, WaitingTicket } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { ApplyDecision } from './apply-decision.ts';

export interface AssignWaitingDeps {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  inbox: Pick<Inbox, 'enqueue'>;
  apply: ApplyDecision;
  withLock: WithLock;
  clock: Clock;
  logger: Logger;
}

/**
 * Assigns tickets that found nobody available to agents who are back, each team's oldest ticket first. Returns how many were
 * assigned. A ticket that cannot be read or written waits for the next run, and does not hold up the others.
 */
export type AssignWaiting = (signal: AbortSignal) => Promise<number>;

type Eligible = ReturnType<typeof eligibleAgents>;

/** What of a team is still to be looked at. */
interface Queue {
  team: string;
  roster: Eligible;
  afterId: string | null;
}

/** Tickets of a team before another one has its turn: a run ends after a minute, and none should have it all. */
const pageSize = 20;
/** If the process dies between a turn and its effect, the pipeline finishes it after this long. */
const finishAfterMs = 60_000;

export function createAssignWaiting(deps: AssignWaitingDeps): AssignWaiting {
  const { tickets, decisions, logger } = deps;

  return async (signal) => {
    const queues: Queue[] = [];
    for (const team of await decisions.waitingTeams()) {
      const roster = await eligibleIn(team, signal);
      if (roster !== null) queues.push({ team, roster, afterId: null });
    }
    let assigned = 0;
    for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
      const { team, roster, afterId } = queue;
      const page = await decisions.waitingIn(team, { afterId, limit: pageSize });
      for (const listed of page) {
        signal.throwIfAborted();
        const work = deps.withLock(`ticket ${listed.ticket}`, (own) =>
          assignOne(listed, roster, team, AbortSignal.any([own, signal])),
        );
        if (await work.catch((error: unknown) => putOff(error, listed.ticket))) assigned += 1;
      }
      if (page.length === pageSize) queues.push({ ...queue, afterId: page.at(-1)?.id ?? null });
    }
    return assigned;
  };

  /** Null if nobody is available, or if that is unknown at the moment. */
  async function eligibleIn(team: string, signal: AbortSignal): Promise<Eligible | null> {
    try {
      const roster = await tickets.readTeam(team, signal);
      const judged = roster && eligibleAgents(roster.members);
      return judged && judged.eligible.length > 0 ? judged : null;
    } catch (error) {
      logger.warn({ error: reasonOf(error) }, 'The available agents of a team could not be read');
      return null;
    }
  }

  function putOff(error: unknown, ticket: string): false {
    logger.warn({ error: reasonOf(error), ticket }, 'A waiting ticket could not be assigned');
    return false;
  }

  async function assignOne(listed: WaitingTicket, roster: Eligible, team: string, signal: AbortSignal) {
    // The pipeline or another process may have changed it since it was listed.
    const decision = await decisions.latest(listed.ticket);
    const isWaiting = decision?.state === 'applied' && decision.assignment.state === 'nobody_available';
    if (decision?.id !== listed.id || !isWaiting) return false;
    const ticket = await read(decision.ticket, signal);
    if (ticket === null || ticket.file.ticket.agentGroup !== team) {
      await decisions.update(decision.id, { state: 'overruled', assignment: { state: 'none' } });
      return false;
    }
    if (ticket.replied || ticket.status !== decision.inputs.ticket_status) {
      await decisions.update(decision.id, { assignment: { state: 'none' } });
      return false;
    }
    if (ticket.assignees.length > 0) {
      await decisions.update(decision.id, { assignment: { state: 'already_assigned' } });
      return false;
    }
    await deps.inbox.enqueue([decision.ticket], deps.clock() + finishAfterMs, deps.clock());
    const { members, eligible, candidates } = roster;
    const turned = await decisions.takeTurn(decision.id, { team, members, eligible }, candidates);
    if (turned === null) return false;
    await deps.apply(turned, { fields: null, asRead: ticket }, signal);
    return true;
  }

  async function read(name: string, signal: AbortSignal): Promise<PipelineTicket | null> {
    return tickets.readPipelineTicket(name, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return null;
      throw error;
    });
  }
}
