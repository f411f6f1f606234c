import type { RoutingDecision, RoutingInputs, RoutingOutcome } from '@deskside/shared/routing';
import type { Context } from '#app/context.ts';
import { readOpen } from '#app/routing/assignments.ts';
import { finishDecision, keepDecision, type WriterNeeds } from '#app/routing/decision-writer.ts';
import { restsOnSync, undoesMove } from '#domain/routing/inputs-of-sync.ts';
import { standsOn } from '#domain/trust/agents-word.ts';
import type { DecisionDraft } from '#store/decisions/decisions.ts';
import type { SyncEntry } from '#store/senders/sync-log.ts';

export type MoveBackNeeds = WriterNeeds & Pick<Context, 'syncLog' | 'inbox' | 'withLock'>;

/**
 * Puts the decision in force again that an undone Sync had replaced (docs/decisions.md 30): a ticket that it moved goes
 * back to its team and agent, unless somebody has moved it since; a claim that it confirmed is open again. Gives the
 * team in which a ticket is that was moved back, else null. Repeatable. Throws HelpdeskError and AppError.
 */
export function moveBack(
  ctx: MoveBackNeeds,
  entry: Pick<SyncEntry, 'id' | 'ticket' | 'agent' | 'orgId'>,
  callerSignal: AbortSignal,
): Promise<string | null> {
  return ctx.withLock(`ticket ${entry.ticket}`, async (own) => {
    const signal = AbortSignal.any([own, callerSignal]);
    const all = await ctx.decisions.list(entry.ticket);
    const [latest] = all;
    // What a crash has left half done is finished by the pipeline.
    if (latest?.cause === 'sync_undone' && latest.sync?.id === entry.id)
      return undoesMove(latest) ? latest.outcome.team : null;
    const before = all.find((decision) => !restsOnSync(decision, entry));
    if (latest === undefined || before === undefined || !restsOnSync(latest, entry)) return null;
    return latest.cause === 'sync' ? returnTo(ctx, latest, before, signal) : reopen(ctx, latest, before, entry, signal);
  });
}

async function returnTo(ctx: MoveBackNeeds, moved: RoutingDecision, before: RoutingDecision, signal: AbortSignal) {
  const { ticket: name, sync } = moved;
  // Half of it may have been written, by which nobody could tell what to take back; and the pipeline would do the rest.
  const { state: done } = moved.state === 'planned' ? await finishDecision(ctx, moved, {}, signal) : moved;
  const ticket = await ctx.helpdesk.readPipelineTicket(name, signal);
  const { team } = moved.outcome;
  if (done !== 'applied' || team === null || ticket.file.ticket.agentGroup !== team) return null;
  const assignment = await assignmentBefore(ctx, before, sync?.before.agent ?? null, name, signal);
  const inputs = { ...before.inputs, agent_group: { name: team, set_by: 'deskside' as const } };
  const planned = { outcome: before.outcome, turn: null, assignment };
  // The claim that it may have been decided on is open again.
  await ctx.inbox.enqueue([name], ctx.clock(), ctx.clock());
  const how = { cause: 'sync_undone', sync, after: moved.number } as const;
  const { state } = await keepDecision(ctx, { ticket, inputs, link: before.link, fields: {} }, how, planned, signal);
  return state === 'applied' ? before.outcome.team : null;
}

/** The claim is one again, unless another Sync vouches for it. Who has the ticket stays. */
async function reopen(
  ctx: MoveBackNeeds,
  confirmed: RoutingDecision,
  { inputs, outcome, link }: RoutingDecision,
  { id, agent, orgId }: Pick<SyncEntry, 'id' | 'agent' | 'orgId'>,
  signal: AbortSignal,
) {
  const { ticket: name, assignment, state, number } = confirmed;
  const [ticket, standing] = await Promise.all([
    ctx.helpdesk.readPipelineTicket(name, signal),
    ctx.syncLog.latest(name),
  ]);
  if (standing?.orgId === orgId && standsOn(standing, ticket.file.ticket)) return null;
  if (state === 'planned') await finishDecision(ctx, confirmed, {}, signal);
  await ctx.inbox.enqueue([name], ctx.clock(), ctx.clock());
  const how = { cause: 'sync_undone', sync: { id, agent, before: { agent: null } }, after: number } as const;
  await keepDecision(
    ctx,
    { ticket, inputs: { ...inputs, agent_group: keptGroup(inputs, outcome) }, link, fields: {} },
    how,
    { outcome, turn: null, assignment },
    signal,
  );
  return null;
}

/** Who had the ticket gets it back; the turn that the Sync took stays taken. */
async function assignmentBefore(
  ctx: MoveBackNeeds,
  { assignment }: RoutingDecision,
  agent: string | null,
  ticket: string,
  signal: AbortSignal,
): Promise<DecisionDraft['assignment']> {
  const { candidates } = assignment;
  if (agent !== null) return { state: 'planned', agent, candidates };
  if (assignment.state === 'nobody_available') return { state: 'nobody_available', agent: null, candidates };
  const { ours } = await readOpen(ctx, ticket, signal);
  for (const { id } of ours) await ctx.helpdesk.withdraw(id, signal);
  return { state: assignment.state === 'assigned' ? 'none' : assignment.state, agent: null, candidates };
}

/** The ticket is in the team already, unless a person had set another before anything was decided. */
function keptGroup(inputs: RoutingInputs, { team }: RoutingOutcome): RoutingInputs['agent_group'] {
  return team === null ? inputs.agent_group : { name: team, set_by: 'deskside' };
}
