import { Gauge, type Registry } from '@prometheus-io/client';
import type { CrmState } from '#crm/crm-budget.ts';
import type { PipelineBacklog } from '#store/pipeline-watch.ts';

/** What is read at each scrape. A part that cannot be read rejects; its gauges are then left out. */
export interface ServiceState {
  /** Null if no CRM is configured. */
  crm(): Promise<CrmState | null>;
  backlog(): Promise<PipelineBacklog>;
  /** Per team, how far apart its agents are, in tickets (domain/routing/fairness.ts). */
  fairness(): Promise<ReadonlyMap<string, number>>;
  clock(): number;
}

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

/** Adds the gauges whose values are read when somebody asks. One part that fails does not take the others along. */
export function addGauges(register: Registry, { crm, backlog, fairness, clock }: ServiceState): void {
  function gauge(name: string, help: string, labelNames: string[], read: () => Promise<Values>): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [register],
      async collect() {
        this.reset();
        // A gauge without labels would say 0 where nothing is known.
        if (labelNames.length === 0) this.remove();
        for (const [labels, value] of await read().catch((): Values => [])) this.set(labels, value);
      },
    });
  }

  const state = oncePerScrape(crm);
  const byLane = (of: 'left' | 'waiting') => async (): Promise<Values> =>
    Object.entries((await state())?.[of] ?? {}).map(([lane, value]) => [{ lane }, value]);
  gauge(
    'deskside_crm_budget_left',
    'Requests that a lane of the CRM’s budget takes at once, of all replicas.',
    ['lane'],
    byLane('left'),
  );
  gauge('deskside_crm_queue', 'Questions to the CRM that wait in a lane of this replica.', ['lane'], byLane('waiting'));
  gauge(
    'deskside_crm_operating_seconds',
    'Execution time that the portal has counted in its ten minutes; it blocks at 480.',
    ['kind'],
    async () => Object.entries((await state())?.operatingSeconds ?? {}).map(([kind, value]) => [{ kind }, value]),
  );

  const queues = oncePerScrape(backlog);
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, clock() - since) / 1_000);
  const one = (value: (of: PipelineBacklog) => number) => async (): Promise<Values> => [[{}, value(await queues())]];
  gauge(
    'deskside_inbox_tickets',
    'Tickets that the pipeline should have worked on by now.',
    [],
    one(({ due }) => due.tickets),
  );
  gauge(
    'deskside_inbox_oldest_seconds',
    'By how long the most overdue of them is late.',
    [],
    one(({ due }) => age(due.since)),
  );
  gauge(
    'deskside_waiting_tickets',
    'Tickets of a team in which nobody is available.',
    [],
    one(({ waiting }) => waiting.tickets),
  );
  gauge(
    'deskside_waiting_oldest_seconds',
    'For how long the first of them waits.',
    [],
    one(({ waiting }) => age(waiting.since)),
  );
  gauge(
    'deskside_team_spread_tickets',
    'How many tickets lie between who of a team got most and who got least, against their due, in the latest 400 decisions.',
    ['team'],
    async () => [...(await fairness())].map(([team, value]) => [{ team }, value]),
  );
}

/** Everything that one scrape asks for at the same moment shares one reading. */
export function oncePerScrape<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}
