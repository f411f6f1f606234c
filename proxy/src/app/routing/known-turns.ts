import type { Context } from '#app/context.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Store } from '#store/store.ts';
import type { Restore } from '#store/upkeep/upkeep.ts';
import { isRoutingOf, teamOf } from './assignments.ts';

/** Assignments are looked at from so long before the backup on: the clocks may differ. Known ones do not count. */
const overlapMs = 3_600_000;

interface Needs {
  helpdesk: Pick<HelpdeskTickets, 'serviceUser' | 'stampOf' | 'stampBefore' | 'listAssignmentsBy'>;
  decisions: Pick<Store['decisions'], 'list' | 'setLastAgent'>;
  upkeep: Store['upkeep'];
  withLock: WithLock;
  logger: Logger;
}

/** `Context['learnTurns']`: knows whether that is done, so that the store is asked once. */
export function createLearnTurns(ctx: Needs): Context['learnTurns'] {
  let areKnown = false;

  return async () => {
    if (areKnown) return;
    if (isDue(await ctx.upkeep.lastRestore()))
      await ctx.withLock('turns after a restore', (signal) => learnOnce(ctx, signal));
    areKnown = true;
  };
}

async function learnOnce(ctx: Needs, signal: AbortSignal): Promise<void> {
  const restore = await ctx.upkeep.lastRestore();
  if (!isDue(restore)) return;
  const turns = await lastAgents(ctx, restore, signal);
  for (const [team, agent] of turns) await ctx.decisions.setLastAgent(team, agent);
  await ctx.upkeep.noteRestore({ ...restore, turnsKnown: true });
  ctx.logger.info({ teams: turns.size }, 'After a restore, the turns of teams were read from the helpdesk');
}

async function lastAgents(ctx: Needs, { backedUpAt }: Restore, signal: AbortSignal): Promise<Map<string, string>> {
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

/** Decisions of which none takes a turn before the turns are known. */
export function withKnownTurns(decisions: Store['decisions'], learnTurns: Context['learnTurns']): Store['decisions'] {
  return {
    ...decisions,
    async add(draft, after, turn) {
      if (turn !== null) await learnTurns();
      return decisions.add(draft, after, turn);
    },
    async takeTurn(id, turn, candidates) {
      await learnTurns();
      return decisions.takeTurn(id, turn, candidates);
    },
  };
}
