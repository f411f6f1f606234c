import type { RoutingDecision } from '@deskside/shared/routing';
import { readOpen } from '#app/routing/assignments.ts';
import type { DecisionWriter } from '#app/routing/decision-writer.ts';
import type { WithLock } from '#app/runtime/with-lock.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Inbox } from '#ports/intake/inbox.ts';
import type { DecisionDraft, Decisions } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/**
 * Moves a ticket back that a Sync had moved, to the team and the agent that it had before, unless somebody has moved it
 * since (docs/decisions.md 30). Gives the team in which it is then, null if nothing was moved. Repeatable. Throws
 * HelpdeskError and AppError.
 */
export type MoveBack = (ticket: string, syncId: string, signal: AbortSignal) => Promise<string | null>;

export function createMoveBack(deps: {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  writer: DecisionWriter;
  inbox: Pick<Inbox, 'enqueue'>;
  withLock: WithLock;
  clock: Clock;
}): MoveBack {
  const { tickets, decisions, clock } = deps;

  return (name, syncId, callerSignal) =>
    deps.withLock(`ticket ${name}`, async (own) => {
      const signal = AbortSignal.any([own, callerSignal]);
      const [moved, before] = await decisions.list(name);
      const { sync } = moved ?? {};
      if (moved === undefined || before === undefined || sync?.id !== syncId) return null;
      // What a crash has left half done is finished by the pipeline.
      if (moved.cause !== 'sync') return before.inputs.agent_group?.name ?? null;
      const ticket = await tickets.readPipelineTicket(name, signal);
      const { team } = moved.outcome;
      if (moved.state !== 'applied' || team === null || ticket.file.ticket.agentGroup !== team) return null;
      const assignment = await assignmentBefore(before, sync.before.agent, name, signal);
      const inputs = { ...before.inputs, agent_group: { name: team, set_by: 'deskside' as const } };
      const planned = { outcome: before.outcome, turn: null, assignment };
      // The claim that it may have been decided on is open again.
      await deps.inbox.enqueue([name], clock(), clock());
      const how = { cause: 'sync_undone', sync, after: moved.number } as const;
      const gathered = { ticket, inputs, link: before.link, fields: {} };
      const { state } = await deps.writer.keep(gathered, how, planned, signal);
      return state === 'applied' ? before.outcome.team : null;
    });

  /** Who had the ticket gets it back; the turn that the Sync took stays taken. */
  async function assignmentBefore(
    { assignment }: RoutingDecision,
    agent: string | null,
    ticket: string,
    signal: AbortSignal,
  ): Promise<DecisionDraft['assignment']> {
    const { candidates } = assignment;
    if (agent !== null) return { state: 'planned', agent, candidates };
    if (assignment.state === 'nobody_available') return { state: 'nobody_available', agent: null, candidates };
    const { ours } = await readOpen(deps, ticket, signal);
    for (const { id } of ours) await tickets.withdraw(id, signal);
    return { state: assignment.state === 'assigned' ? 'none' : assignment.state, agent: null, candidates };
  }
}
