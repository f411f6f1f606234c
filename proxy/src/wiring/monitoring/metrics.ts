import type { ServiceState } from '#adapters/metrics-prom/gauges.ts';
import type { MetricsRegistry } from '#adapters/metrics-prom/metrics.ts';
import type { Store } from '#adapters/store-sql/store.ts';
import { latestTurns } from '#app/operator/newest-decided.ts';
import { spreadOf } from '#domain/routing/fairness.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Metrics } from '#ports/runtime/metrics.ts';

/** How long a judgement of fairness stands: it reads some hundred decisions. */
const judgeEveryMs = 60_000;

/** Part of the composition root: what is read whenever somebody asks for the figures. */
export function watchService(
  metrics: MetricsRegistry,
  {
    store,
    crm,
    alerts,
    clock,
  }: Pick<ServiceState, 'crm' | 'alerts'> & { store: Pick<Store, 'pipelineWatch'>; clock: Clock },
): void {
  let last: { at: number; spread: ReadonlyMap<string, number> } | null = null;
  metrics.watch({
    crm,
    alerts,
    backlog: () => store.pipelineWatch.backlog(clock()),
    async fairness() {
      if (last === null || clock() - last.at >= judgeEveryMs)
        last = { at: clock(), spread: spreadOf(await latestTurns(store.pipelineWatch)) };
      return last.spread;
    },
    clock,
  });
}

/** Decisions that are counted as they are recorded; one whose work was done before a restore was counted then. */
export function countedDecisions(decisions: Decisions, metrics: Pick<Metrics, 'ticketDecided'>): Decisions {
  return {
    ...decisions,
    async add(draft, after, turn) {
      const decision = await decisions.add(draft, after, turn);
      if (decision !== null && draft.state !== 'applied') metrics.ticketDecided(decision);
      return decision;
    },
  };
}
