import type { SyncMove } from '@deskside/shared/enrichment';
import type { ClaimsMode, RoutingDecision } from '@deskside/shared/routing';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { openOn } from '#app/routing/assignments.ts';
import type { DecisionWriter, Planned } from '#app/routing/decision-writer.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { reasonOf } from '#app/runtime/background.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { inputsOfSync, mayMove, type SyncedCompany } from '#domain/routing/inputs-of-sync.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Inbox } from '#ports/intake/inbox.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';

export interface MoveBySyncDeps {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  writer: DecisionWriter;
  inbox: Pick<Inbox, 'enqueue'>;
  withLock: WithLock;
  claims: ClaimsMode;
  gate: Pick<AgentGate, 'forgetTicket'>;
  clock: Clock;
  logger: Logger;
}

/** Moves a ticket to the team and the agent that the rules name once a Sync has linked it (docs/decisions.md 30). */
export interface MoveBySync {
  /** What the Sync would do; null if it moves nothing. Writes nothing. Throws HelpdeskError. */
  preview(ticket: string, synced: SyncedCompany, signal: AbortSignal): Promise<SyncMove | null>;
  /**
   * Moves it, if the rules still name the team that the agent has agreed to. Repeatable: of one Sync there is one move.
   * Null if it has not been moved: the Sync itself is done by then, so that a failure is logged and thrown on no one.
   */
  apply(
    ticket: string,
    sync: SyncedCompany & { id: string; team: string },
    signal: AbortSignal,
  ): Promise<SyncMove | null>;
}

/** If the process dies between a decision and its effects, the pipeline finishes it after this long. */
const finishAfterMs = 60_000;

export function createMoveBySync(deps: MoveBySyncDeps): MoveBySync {
  const { tickets, decisions, writer, clock } = deps;

  async function plan(name: string, synced: SyncedCompany, signal: AbortSignal) {
    const latest = await decisions.latest(name);
    const ticket = await tickets.readPipelineTicket(name, signal);
    const group = ticket.file.ticket.agentGroup;
    if (latest === null || group === null || !mayMove(latest, { group, closed: ticket.closed })) return null;
    const inputs = inputsOfSync(synced, {
      ...{ claims: deps.claims, group, ticket_segment: ticket.segment },
      orgIdField: ticket.file.customer?.orgIdField.field ?? '',
      ...{ ticket_status: ticket.status, ticket_creation: ticket.creation },
    });
    const planned = await writer.plan({ ticket, inputs }, latest, signal);
    if (planned.outcome.team === null || planned.outcome.team === group) return null;
    return { latest, ticket, inputs, planned, move: moveOf(planned, planned.outcome.team, group) };
  }

  return {
    preview: async (ticket, synced, signal) => (await plan(ticket, synced, signal))?.move ?? null,

    apply: (ticket, sync, callerSignal) =>
      deps
        .withLock(`ticket ${ticket}`, (own) => move(ticket, sync, AbortSignal.any([own, callerSignal])))
        .catch((error: unknown) => {
          if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
          deps.logger.warn({ error: reasonOf(error), ticket }, 'A ticket was linked by a Sync, but not moved');
          return null;
        }),
  };

  async function move(name: string, sync: SyncedCompany & { id: string; team: string }, signal: AbortSignal) {
    const known = await decisions.latest(name);
    if (known?.sync?.id === sync.id) return known.cause === 'sync' ? movedBy(known) : null;
    const planned = await plan(name, sync, signal);
    if (planned === null || planned.move.team !== sync.team) return null;
    const { latest, ticket, inputs } = planned;
    const before = { agent: await routedTo(ticket, signal) };
    await deps.inbox.enqueue([name], clock() + finishAfterMs, clock());
    const how = { cause: 'sync', sync: { id: sync.id, agent: sync.agent, before }, after: latest.number } as const;
    const { state } = await writer.keep({ ticket, inputs, link: null, fields: {} }, how, planned.planned, signal);
    deps.gate.forgetTicket(name);
    return state === 'applied' ? { ...planned.move, done: true } : null;
  }

  /** Who has the ticket without a person having chosen them; null if nobody. */
  async function routedTo(ticket: PipelineTicket, signal: AbortSignal): Promise<string | null> {
    const { ours, native, others } = await openOn(deps, ticket, signal);
    return others.length > 0 ? null : ([...ours, ...native][0]?.user ?? null);
  }
}

const agentOf = { planned: 'turn', assigned: 'turn', nobody_available: 'nobody' } as const;

function moveOf({ assignment }: Pick<Planned, 'assignment'>, team: string, from: string): SyncMove {
  const state = assignment.state as keyof typeof agentOf;
  return { team, from, agent: agentOf[state] ?? 'kept', done: false };
}

function movedBy({ assignment, outcome, inputs, state }: RoutingDecision): SyncMove | null {
  const from = inputs.agent_group?.name;
  if (outcome.team === null || from === undefined || state !== 'applied') return null;
  return { ...moveOf({ assignment }, outcome.team, from), done: true };
}
