import type { SyncMove } from '@deskside/shared/enrichment';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { Context } from '#app/context.ts';
import { openOn } from '#app/routing/assignments.ts';
import { keepDecision, type Planned, planDecision, type WriterNeeds } from '#app/routing/decision-writer.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { reasonOf } from '#app/runtime/background.ts';
import { inputsOfSync, mayMove, type SyncedCompany } from '#domain/routing/inputs-of-sync.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';

export type MoveNeeds = WriterNeeds & Pick<Context, 'inbox' | 'withLock'>;

/** If the process dies between a decision and its effects, the pipeline finishes it after this long. */
const finishAfterMs = 60_000;

async function plan(ctx: MoveNeeds, name: string, synced: SyncedCompany, signal: AbortSignal) {
  const latest = await ctx.decisions.latest(name);
  if (latest === null) return null;
  const ticket = await ctx.helpdesk.readPipelineTicket(name, signal);
  const group = ticket.file.ticket.agentGroup;
  if (group === null || !mayMove(latest, { group, closed: ticket.closed })) return null;
  const inputs = inputsOfSync(synced, {
    claims: ctx.routing.claims,
    group,
    ticket_segment: ticket.segment,
    orgIdField: ticket.file.customer?.orgIdField.field ?? '',
    ticket_status: ticket.status,
    ticket_creation: ticket.creation,
  });
  const planned = await planDecision(ctx, { ticket, inputs }, latest, signal);
  if (planned.outcome.team === null || planned.outcome.team === group) return null;
  return { latest, ticket, inputs, planned, move: moveOf(planned, planned.outcome.team, group) };
}

/** What the Sync would do; null if it moves nothing. Writes nothing. Throws HelpdeskError. */
export async function previewMove(
  ctx: MoveNeeds,
  ticket: string,
  synced: SyncedCompany,
  signal: AbortSignal,
): Promise<SyncMove | null> {
  return (await plan(ctx, ticket, synced, signal))?.move ?? null;
}

/**
 * Moves a ticket to the team and the agent that the rules name once a Sync has linked it (docs/decisions.md 30), if the
 * rules still name the team that the agent has agreed to. Repeatable: of one Sync there is one move. Null if it has not
 * been moved: the Sync itself is done by then, so that a failure is logged and thrown on no one.
 */
export async function moveBySync(
  ctx: MoveNeeds,
  ticket: string,
  sync: SyncedCompany & { id: string; team: string },
  callerSignal: AbortSignal,
): Promise<SyncMove | null> {
  return ctx
    .withLock(`ticket ${ticket}`, (own) => move(ctx, ticket, sync, AbortSignal.any([own, callerSignal])))
    .catch((error: unknown) => {
      if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
      ctx.logger.warn({ error: reasonOf(error), ticket }, 'A ticket was linked by a Sync, but not moved');
      return null;
    });
}

async function move(
  ctx: MoveNeeds,
  name: string,
  sync: SyncedCompany & { id: string; team: string },
  signal: AbortSignal,
) {
  const known = await ctx.decisions.latest(name);
  if (known?.sync?.id === sync.id) return known.cause === 'sync' ? movedBy(known) : null;
  const planned = await plan(ctx, name, sync, signal);
  if (planned === null || planned.move.team !== sync.team) return null;
  const { latest, ticket, inputs } = planned;
  const before = { agent: await routedTo(ctx, ticket, signal) };
  await ctx.inbox.enqueue([name], ctx.clock() + finishAfterMs, ctx.clock());
  const how = { cause: 'sync', sync: { id: sync.id, agent: sync.agent, before }, after: latest.number } as const;
  const { state } = await keepDecision(ctx, { ticket, inputs, link: null, fields: {} }, how, planned.planned, signal);
  return state === 'applied' ? { ...planned.move, done: true } : null;
}

/** Who has the ticket without a person having chosen them; null if nobody. */
async function routedTo(ctx: MoveNeeds, ticket: PipelineTicket, signal: AbortSignal): Promise<string | null> {
  const { ours, native, others } = await openOn(ctx, ticket, signal);
  return others.length > 0 ? null : ([...ours, ...native][0]?.user ?? null);
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
