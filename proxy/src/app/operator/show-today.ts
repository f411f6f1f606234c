import type { OperatorToday } from '@deskside/shared/operator/today';
import type { OperatorContext } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { matchesOf } from '#domain/operator/day.ts';
import type { Store } from '#store/store.ts';

/** How many of the tickets that wait are listed. */
const maxListed = 20;
const lanes = ['click', 'open', 'backfill'] as const;

type Needs = Pick<OperatorContext, 'readDay' | 'recentCrm'> & {
  pipelineWatch: Pick<Store['pipelineWatch'], 'backlog'>;
  decisions: Pick<Store['decisions'], 'waitingForAgent'>;
  crm: Pick<CrmLayers, 'state'> | null;
};

/** What the day has brought so far, since a moment (ISO 8601). Throws if the store fails. */
export async function showToday(ctx: Needs, asked: { since: string }): Promise<OperatorToday> {
  const [{ since, now, decided }, state, waitingOnes] = await Promise.all([
    ctx.readDay(Date.parse(asked.since)),
    ctx.crm?.state() ?? null,
    ctx.decisions.waitingForAgent(maxListed),
  ]);
  const { due, waiting } = await ctx.pipelineWatch.backlog(now);
  return {
    since: iso(since),
    as_of: iso(now),
    ...matchesOf(decided, since, now),
    crm: state && {
      ...ctx.recentCrm.shown(),
      lanes: lanes.map((lane) => ({ lane, left: state.left[lane], waiting: state.waiting[lane] })),
    },
    waiting: {
      tickets: waiting.tickets,
      first: waitingOnes.map(({ ticket, outcome, inputs, decided_at }) => ({
        ticket,
        team: outcome.team ?? inputs.agent_group?.name ?? null,
        since: decided_at,
      })),
    },
    due: { tickets: due.tickets, since: due.since === null ? null : iso(due.since) },
  };
}

const iso = (at: number) => new Date(at).toISOString();
