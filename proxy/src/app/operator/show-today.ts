import type { OperatorToday } from '@deskside/shared/operator/today';
import { matchesOf } from '#domain/operator/day.ts';
import type { CrmState } from '#ports/crm/crm-budget.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { PipelineWatch } from '#ports/routing/pipeline-watch.ts';
import type { ReadDay } from './read-day.ts';
import type { RecentCrm } from './recent-crm.ts';

/** What the day has brought so far, since a moment in epoch milliseconds. */
export type ShowToday = (since: number) => Promise<OperatorToday>;

/** How many of the tickets that wait are listed. */
const maxListed = 20;
const lanes = ['click', 'open', 'backfill'] as const;

export function createShowToday(deps: {
  readDay: ReadDay;
  watch: Pick<PipelineWatch, 'backlog'>;
  decisions: Pick<Decisions, 'waitingForAgent'>;
  recentCrm: RecentCrm;
  /** Null if no CRM is configured. Throws if the store fails. */
  crmState: () => Promise<CrmState | null>;
}): ShowToday {
  return async (wanted) => {
    const [{ since, now, decided }, state, waitingOnes] = await Promise.all([
      deps.readDay(wanted),
      deps.crmState(),
      deps.decisions.waitingForAgent(maxListed),
    ]);
    const { due, waiting } = await deps.watch.backlog(now);
    return {
      since: iso(since),
      as_of: iso(now),
      ...matchesOf(decided, since, now),
      crm: state && {
        ...deps.recentCrm.shown(),
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
  };
}

const iso = (at: number) => new Date(at).toISOString();
