import type { Context } from '#app/context.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Restore } from '#store/upkeep/upkeep.ts';
import { isRoutingOf, teamOf } from './assignments.ts';

/** Assignments are looked at from so long before the backup on: the clocks may differ. Known ones do not count. */
const overlapMs = 3_600_000;

export type TurnNeeds = Pick<Context, 'decisions' | 'logger' | 'turns' | 'upkeep' | 'withLock'> & {
  helpdesk: Pick<HelpdeskTickets, 'serviceUser' | 'stampOf' | 'stampBefore' | 'listAssignmentsBy'>;
};

/**
 * After a restore, gives every team the turn that it has come to since the backup: whoever got its last ticket in the
 * helpdesk. Otherwise the agents of those tickets would get the next ones as well. Once per restore, whichever process
 * comes first; to be called before a turn is taken while `turns.areKnown` is false. Throws HelpdeskError.
 */
export async function learnTurns(ctx: TurnNeeds): Promise<void> {
  if (isDue(await ctx.upkeep.lastRestore()))
    await ctx.withLock('turns after a restore', (signal) => learnOnce(ctx, signal));
  ctx.turns.areKnown = true;
}

async function learnOnce(ctx: TurnNeeds, signal: AbortSignal): Promise<void> {
  const restore = await ctx.upkeep.lastRestore();
  if (!isDue(restore)) return;
  const turns = await lastAgents(ctx, restore, signal);
  for (const [team, agent] of turns) await ctx.decisions.setLastAgent(team, agent);
  await ctx.upkeep.noteRestore({ ...restore, turnsKnown: true });
  ctx.logger.info({ teams: turns.size }, 'After a restore, the turns of teams were read from the helpdesk');
}

async function lastAgents(ctx: TurnNeeds, { backedUpAt }: Restore, signal: AbortSignal): Promise<Map<string, string>> {
  const service = await ctx.helpdesk.serviceUser(signal);
  const since = ctx.helpdesk.stampBefore(await ctx.helpdesk.stampOf(backedUpAt, signal), overlapMs);
  const last = new Map<string, string>();
  for (const assignment of await ctx.helpdesk.listAssignmentsBy(service, since, signal)) {
    if (!isRoutingOf(service, assignment)) continue;
    const known = (await ctx.decisions.list(assignment.ticket)).map(({ assignment: { agent } }) => agent);
    if (!known.includes(assignment.user)) last.set(teamOf(assignment), assignment.user);
  }
  return last;
}

function isDue(restore: Restore | null): restore is Restore {
  return restore !== null && !restore.turnsKnown;
}
