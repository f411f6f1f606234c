import { lockTicket, type Work } from '#context.ts';
import { reasonOf } from '#runtime/jobs.ts';
import type { WaitingTicket } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import { applyDecision, openDecided, readIfThere } from './assign.ts';
import { eligibleAgents } from './round-robin.ts';

type Eligible = ReturnType<typeof eligibleAgents>;

/** Tickets of a team before another one has its turn: a run ends after a minute, and none should have it all. */
const pageSize = 20;
/** If the process dies between a turn and its effect, the pipeline finishes it after this long. */
const finishAfterMs = 60_000;

/**
 * Assigns tickets that found nobody available to agents who are back, each team's oldest ticket first. Returns how many were
 * assigned. A ticket that cannot be read or written waits for the next run, and does not hold up the others; likewise a team,
 * of which the failure is thrown in the end.
 */
export async function assignWaiting(ctx: Work): Promise<number> {
  /** What of each team is still to be looked at. */
  const queues: { team: string; roster: Eligible; afterId: string | null }[] = [];
  const failed: unknown[] = [];
  for (const team of await decisions.waitingTeams(ctx.db)) {
    const roster = await eligibleIn(ctx, team).catch((error: unknown) => {
      failed.push(error);
      return null;
    });
    if (roster !== null) queues.push({ team, roster, afterId: null });
  }
  let assigned = 0;
  for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
    const { team, roster, afterId } = queue;
    const page = await decisions.waitingIn(ctx.db, team, { afterId, limit: pageSize });
    for (const listed of page) {
      ctx.signal.throwIfAborted();
      const work = lockTicket(ctx, listed.name, (locked) => assignOne(locked, listed, roster, team));
      if (await work.catch((error: unknown) => putOff(ctx, error, listed.name))) assigned += 1;
    }
    if (page.length === pageSize) queues.push({ ...queue, afterId: page.at(-1)?.id ?? null });
  }
  if (failed.length > 0) throw failed[0];
  return assigned;
}

/** Null if nobody is available. */
async function eligibleIn(ctx: Work, team: string): Promise<Eligible | null> {
  const roster = await ctx.helpdesk.people.readTeam(team, ctx.signal);
  const judged = roster && eligibleAgents(roster.members);
  return judged && judged.eligible.length > 0 ? judged : null;
}

function putOff(ctx: Work, error: unknown, ticket: string): false {
  ctx.logger.warn({ error: reasonOf(error), ticket }, 'A waiting ticket could not be assigned');
  return false;
}

async function assignOne(ctx: Work, listed: WaitingTicket, roster: Eligible, team: string) {
  // The pipeline or another process may have changed it since it was listed.
  const decision = await decisions.latest(ctx.db, listed);
  const isWaiting = decision?.state === 'applied' && decision.assignment.state === 'nobody_available';
  if (decision?.id !== listed.id || !isWaiting) return false;
  const ticket = await readIfThere(ctx, decision.ticket);
  if (ticket?.file.ticket.creation !== listed.creation || ticket.file.ticket.agentGroup !== team) {
    await decisions.update(ctx.db, decision, { state: 'overruled', assignment: { state: 'none' } });
    return false;
  }
  if (ticket.replied || ticket.status !== decision.inputs.ticket_status) {
    await decisions.update(ctx.db, decision, { assignment: { state: 'none' } });
    return false;
  }
  if (ticket.assignees.length > 0) {
    await decisions.update(ctx.db, decision, { assignment: { state: 'already_assigned' } });
    return false;
  }
  await tickets.enqueue(ctx.db, [listed], { dueAt: ctx.clock() + finishAfterMs, now: ctx.clock() });
  const { members, eligible, candidates } = roster;
  const turned = await decisions.takeTurn(ctx.db, decision, { team, members, eligible }, candidates);
  if (turned === null) return false;
  await applyDecision(ctx, turned, await openDecided(ctx, turned, ticket), null);
  return true;
}
