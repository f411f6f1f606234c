import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { type Fault, lastingFaults, singleFaults } from '#runtime/faults.ts';
import type { Metrics } from '#runtime/metrics-port.ts';
import { addGauges, oncePerScrape, type ServiceState } from './gauges.ts';

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

/** Metrics in a registry of their own, so that several services in one process do not count for each other. */
export function createMetrics(version: string): MetricsRegistry {
  const register = new Registry();
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
  const lasting = new Map(lastingFaults.map((fault) => [fault as Fault, new Set<string>()]));
  new Gauge({ name: 'deskside_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );

  return {
    contentType: register.contentType,
    // Two at once would empty each other's gauges.
    text: oncePerScrape(() => register.metrics()),
    watch(state) {
      collectDefaultMetrics({ register });
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
    ticketDecided({ outcome, inputs, cause }) {
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
