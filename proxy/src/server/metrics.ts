import type { RoutingDecision } from '@deskside/shared/routing';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Context } from 'hono';
import type { CrmState } from '#crm/crm.ts';
import { type Fault, lastingFaults, type Metrics, singleFaults } from '#runtime/log.ts';
import type { PipelineBacklog } from '#store/backlog.ts';
import type { AppEnv } from './middleware.ts';
import { isOneOf, refuse } from './webhooks.ts';

/** The port, and what has been counted for whoever may read it. */
export interface MetricsRegistry extends Metrics {
  readonly contentType: string;
  /** Everything in Prometheus' text format, with the gauges as they are now. Never rejects. */
  text(): Promise<string>;
  /** Adds gauges for what is read at each scrape: the CRM's budget, the pipeline, the process itself. */
  watch(state: ServiceState): void;
}

/** In seconds; the panel shows an answer of more than 4.5 s as too late. */
const httpBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const crmBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
/** Up to half a minute a webhook or the sweep is at work, after that something is wrong, or nobody is there. */
const ticketBuckets = [1, 2, 5, 10, 30, 60, 300, 900, 3_600, 4 * 3_600, 24 * 3_600];

/** What counts and times, each figure at 0 or empty. */
function instrumentsIn(register: Registry, version: string) {
  const registers = [register];
  const counted = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const timed = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const requests = timed(
    'deskside_http_request_duration_seconds',
    'Requests answered, by route pattern and outcome (ok, refused, failed, client_left).',
    ['route', 'outcome'],
    httpBuckets,
  );
  const errors = counted('deskside_http_errors_total', 'Errors answered, by the code in the answer.', ['code']);
  const reads = counted(
    'deskside_lookups_total',
    'Org ids looked for in a layer (memory, store, crm), by result (hit, miss, failed).',
    ['layer', 'result'],
  );
  const answers = counted(
    'deskside_company_answers_total',
    'Look-ups of a company by status, and whether an old answer was shown (stale).',
    ['status', 'stale'],
  );
  const crm = timed(
    'deskside_crm_request_duration_seconds',
    'Requests to the CRM by kind and outcome (ok, or why it failed).',
    ['kind', 'outcome'],
    crmBuckets,
  );
  const decisions = counted(
    'deskside_routing_decisions_total',
    'Decisions on tickets by team, rule, trust, fallback and cause. A repair has the cause repair.',
    ['team', 'rule', 'trust', 'fallback', 'cause'],
  );
  const ticket = timed(
    'deskside_ticket_duration_seconds',
    'From a ticket’s creation, by the helpdesk’s clock, until its first decision, and until its agent had it.',
    ['until'],
    ticketBuckets,
  );
  const faults = counted('deskside_faults_total', 'Faults noted.', ['fault']);
  const active = new Gauge({
    name: 'deskside_fault_active',
    help: '1 while this replica sees a fault that lasts.',
    labelNames: ['fault'],
    registers,
  });
  // Prometheus sees a first one only where there was a 0 before.
  for (const fault of [...lastingFaults, ...singleFaults]) faults.inc({ fault }, 0);
  for (const fault of lastingFaults) active.set({ fault }, 0);
  for (const until of ['decision', 'agent']) ticket.zero({ until });
  new Gauge({ name: 'deskside_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
  return { requests, errors, reads, answers, crm, decisions, ticket, faults, active };
}

let processMetrics: Registry | undefined;

/** What is known of the process, collected once: the library never ends the timers and observers that it makes for it. */
function ofProcess(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}

/** Metrics in a registry of their own, so that several services in one process do not count for each other. */
export function createMetrics(version: string): MetricsRegistry {
  const register = new Registry();
  const { requests, errors, reads, answers, crm, decisions, ticket, faults, active } = instrumentsIn(register, version);
  const lasting = new Map(lastingFaults.map((fault) => [fault as Fault, new Set<string>()]));
  let watching: ServiceState | null = null;
  const took = (until: 'decision' | 'agent', { inputs }: RoutingDecision) => {
    const created = watching?.instantOf(inputs.ticket_creation) ?? null;
    if (watching !== null && created !== null)
      ticket.observe({ until }, Math.max(0, watching.clock() - created) / 1_000);
  };
  return {
    contentType: register.contentType,
    // Two at once would empty each other's gauges.
    text: oncePerScrape(() => Registry.merge(watching === null ? [register] : [ofProcess(), register]).metrics()),
    watch(state) {
      watching = state;
      ofProcess();
      addGauges(register, state);
    },
    requestAnswered({ route, outcome, code, seconds }) {
      requests.observe({ route, outcome }, seconds);
      if (code !== undefined) errors.inc({ code });
    },
    companiesRead(layer, result, count) {
      if (count > 0) reads.inc({ layer, result }, count);
    },
    companyAnswered: ({ status, stale }) => answers.inc({ status, stale: String(stale) }),
    crmAnswered: ({ kind, outcome, seconds }) => crm.observe({ kind, outcome }, seconds),
    faultNoted(fault, part) {
      faults.inc({ fault });
      const parts = lasting.get(fault);
      if (parts === undefined) return;
      parts.add(part);
      active.set({ fault }, 1);
    },
    faultEnded(fault, part) {
      const parts = lasting.get(fault);
      if (part === null) parts?.clear();
      else parts?.delete(part);
      active.set({ fault }, Number((parts?.size ?? 0) > 0));
    },
    ticketAssigned(decision) {
      // A ticket that moves to another team by a repair had its agent before.
      if (decision.number === 1 || decision.inputs.agent_group === null) took('agent', decision);
    },
    ticketDecided(decision) {
      const { outcome, inputs, cause } = decision;
      if (decision.number === 1) took('decision', decision);
      decisions.inc({
        team: outcome.team ?? 'none',
        rule: outcome.rules.find(({ hit }) => hit)?.rule ?? 'none',
        trust: inputs.org_id?.trust?.level ?? 'none',
        fallback: outcome.fallback ?? 'none',
        cause,
      });
    },
  };
}

/** What is read at each scrape. A part that cannot be read rejects; its gauges are then left out. */
interface ServiceState {
  /** Null if no CRM is configured. */
  crm(): Promise<CrmState | null>;
  backlog(): Promise<PipelineBacklog>;
  /** A timestamp of the helpdesk in epoch milliseconds; null while its time zone is not known. */
  instantOf(stamp: string): number | null;
  /** Tickets to which the helpdesk refuses a write, with the names of the fields that it is about. */
  refusals(): Promise<readonly { fields: readonly string[] }[]>;
  /** How many of the latest tickets, in a row, no webhook has announced. */
  missedByWebhook(): Promise<number>;
  /** When the store was last backed up, or else made, in epoch milliseconds; null where Deskside knows nothing of it. */
  backedUpAt(): Promise<number | null>;
  /** Until when the certificate at PUBLIC_URL is valid, in epoch milliseconds; null if there is none. */
  certificateEnd(): Promise<number | null>;
  clock(): number;
}

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

/** Adds the gauges whose values are read when somebody asks. One part that fails does not take the others along. */
function addGauges(
  register: Registry,
  { crm, backlog, instantOf, refusals, missedByWebhook, backedUpAt, certificateEnd, clock }: ServiceState,
): void {
  function gauge(name: string, help: string, read: () => Promise<Values>, labelNames: string[] = []): void {
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
    byLane('left'),
    ['lane'],
  );
  gauge('deskside_crm_queue', 'Questions to the CRM that wait in a lane of this replica.', byLane('waiting'), ['lane']);
  gauge(
    'deskside_crm_operating_seconds',
    'Execution time that the portal has counted in its ten minutes; it blocks at 480.',
    async () => Object.entries((await state())?.operatingSeconds ?? {}).map(([kind, value]) => [{ kind }, value]),
    ['kind'],
  );

  const queues = oncePerScrape(backlog);
  const age = ({ since, creation }: PipelineBacklog['waiting']) => {
    const at = (creation === null ? null : instantOf(creation)) ?? since;
    return at === null ? 0 : Math.max(0, clock() - at) / 1_000;
  };
  const one = (value: (of: PipelineBacklog) => number) => async (): Promise<Values> => [[{}, value(await queues())]];
  gauge(
    'deskside_inbox_tickets',
    'Tickets that have come and are not routed yet, also those of which a step failed and is tried again.',
    one((of) => of.unrouted.tickets),
  );
  gauge(
    'deskside_inbox_oldest_seconds',
    'How long ago the first of them was created.',
    one((of) => age(of.unrouted)),
  );
  gauge(
    'deskside_waiting_tickets',
    'Tickets of a team in which nobody is available.',
    one((of) => of.waiting.tickets),
  );
  gauge(
    'deskside_waiting_oldest_seconds',
    'How long ago the first of them was created.',
    one((of) => age(of.waiting)),
  );
  gauge(
    'deskside_refused_tickets',
    'Tickets to which the helpdesk refuses every write, by the field that it names.',
    async () => {
      const byField = Map.groupBy(await refusals(), ({ fields: [field = 'none'] }) => field);
      return [...byField].map(([field, tickets]) => [{ field }, tickets.length]);
    },
    ['field'],
  );
  gauge(
    'deskside_webhook_missed_tickets',
    'How many of the latest ten tickets, in a row, the sweep found and no webhook announced.',
    async () => [[{}, await missedByWebhook()]],
  );
  const since = (read: () => Promise<number | null>, seconds: (at: number) => number) => async (): Promise<Values> => {
    const at = await read();
    return at === null ? [] : [[{}, seconds(at)]];
  };
  gauge(
    'deskside_backup_age_seconds',
    'How long ago the store was last backed up, or made if it never was; none on PostgreSQL.',
    since(backedUpAt, (at) => (clock() - at) / 1_000),
  );
  gauge(
    'deskside_certificate_days',
    'Days until the certificate at PUBLIC_URL ends, as it was within the last ten minutes.',
    since(certificateEnd, (at) => (at - clock()) / 86_400_000),
  );
}

/** Everything that one scrape asks for at the same moment shares one reading. */
function oncePerScrape<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}

/** The service's figures in Prometheus' text format. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

/** GET /metrics with `Authorization: Bearer <METRICS_TOKEN>`, one of two while it is being replaced; anything else is a 401. */
export function metricsRoute({ contentType, text }: Exposition, tokens: readonly string[]) {
  const isRight = isOneOf(tokens.map((token) => `bearer ${token}`));

  return async (c: Context<AppEnv>) => {
    // The word, not the token, may be in capitals.
    if (!isRight((c.req.header('authorization') ?? '').replace(/^bearer\s+/i, 'bearer '))) {
      c.header('www-authenticate', 'Bearer');
      c.set('isAnonymous', true);
      return refuse(c, 'unauthenticated', 'The metrics need METRICS_TOKEN as a bearer token.', 401);
    }
    return c.body(await text(), 200, { 'content-type': contentType });
  };
}
