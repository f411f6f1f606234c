import { EventEmitter } from 'node:events';
import { type Config, secretsOf } from './config.ts';
import { type Context, type ProcessServices, rememberedIn } from './context.ts';
import { type CrmUpstreams, crmUpstreams, openCrm } from './crm/crm.ts';
import { refreshesPerUser } from './crm/lookup.ts';
import { createEnrichmentRuns, createLimitSearches } from './crm/per-user.ts';
import { maskSecrets } from './crm/rest.ts';
import { AgentGate } from './helpdesk/agent-gate.ts';
import { callerSlots, helpdeskUpstream, serviceKeyOf, serviceSlots } from './helpdesk/credentials.ts';
import { Helpdesk } from './helpdesk/helpdesk.ts';
import { type AskMeta, askMeta, createMetaReader } from './intake/meta-json.ts';
import { type Egress, type Upstream, withEgress } from './net/egress.ts';
import { createGuardedFetch } from './net/guarded-fetch.ts';
import { createBackground } from './runtime/jobs.ts';
import { createLogger, createRedactor, type LogFields, type Logger, type Metrics } from './runtime/log.ts';
import { machine } from './runtime/machine.ts';
import { type Clock, createRateLimit, lruMemory } from './runtime/memory.ts';
import { version } from './runtime/version.ts';
import { reportsPerAgent } from './server/extension.ts';
import { createMetrics, type MetricsRegistry } from './server/metrics.ts';
import { openStore, type Store } from './store/database.ts';
import { createWithLock } from './store/leases.ts';
import * as tickets from './store/tickets.ts';

/** The service's log, in which no secret of any configuration that was ever in force appears. */
export interface ServiceLog {
  logger: Logger;
  /** From now on hides the secrets of this configuration, too. */
  hide(config: Config): void;
}

export function wireLogger(config: Config): ServiceLog {
  const secrets = new Set<string>();
  let redact = (text: string) => text;
  const hide = (current: Config) => {
    for (const secret of secretsOf(current)) secrets.add(secret);
    redact = createRedactor([...secrets], maskSecrets);
  };
  hide(config);
  return { logger: createLogger(config.LOG_LEVEL, (line) => redact(line)), hide };
}

/** The same log, of which every line with a fault, or the end of one, is in the metrics as well. */
export function countFaults(logger: Logger, metrics: Pick<Metrics, 'faultNoted' | 'faultEnded'>): Logger {
  const counting = (level: keyof Logger) => (fields: LogFields, message: string) => {
    logger[level](fields, message);
    const part = typeof fields.kind === 'string' ? fields.kind : '';
    if (fields.fault) metrics.faultNoted(fields.fault, part);
    if (fields.fault_ended) metrics.faultEnded(fields.fault_ended, part);
  };
  return { debug: counting('debug'), info: counting('info'), warn: counting('warn'), error: counting('error') };
}

const dayMs = 24 * 3_600_000;
/** Longest time one request to the helpdesk may take; a healthy one takes 30 ms at most (docs/helpdesk.md#reading). */
const helpdeskWithinMs = 8_000;

/** What a process has: what verbs take of it, and what its contexts are made of. */
export interface Process extends ProcessServices, Pick<Store, 'closed'> {
  store: Store;
  egress: Egress;
  metrics: MetricsRegistry;
  upstream: Upstream;
  crmUpstream: CrmUpstreams;
}

/** What is opened before anything else. */
interface OpenResources extends Pick<Process, 'store' | 'egress' | 'metrics' | 'clock' | 'logger' | 'stopped'> {
  /** Made elsewhere: a test's own shops, for example, which the guard would not let through. */
  askMeta?: AskMeta | undefined;
}

/** Makes what lasts as long as the process, whatever the settings become. */
export function processOn(config: Config, opened: OpenResources): Process {
  const { store, egress, metrics, clock, logger, stopped } = opened;
  const memory = lruMemory;
  const signs: Process['signs'] = new EventEmitter();
  const helpdeskAt = (maxConnections: number) =>
    egress.upstream(config.HELPDESK_URL, { timeoutMs: helpdeskWithinMs, maxConnections });
  const upstream = helpdeskUpstream(config, { callers: helpdeskAt(callerSlots), service: helpdeskAt(serviceSlots) });
  const helpdesk = new Helpdesk({ upstream, serviceKey: serviceKeyOf(config), logger, clock, signs });
  const gate = new AgentGate(helpdesk, memory);
  signs.on('written', (ticket) => gate.forgetTicket(ticket));
  const background = createBackground(logger);
  const withLock = createWithLock(store);
  const fetch = createGuardedFetch();
  /** Something is known now that the ticket's decision went without. */
  const decideAgain = async (ticket: string) => {
    await tickets.enqueueNamed(store.db, ticket, clock());
    signs.emit('arrived');
  };
  return {
    ...store,
    store,
    egress,
    metrics,
    upstream,
    crmUpstream: crmUpstreams(egress),
    signs,
    anchorReports: createRateLimit(memory, reportsPerAgent),
    background,
    clock,
    gate,
    helpdesk,
    refreshes: createRateLimit(memory, refreshesPerUser, clock),
    limitSearches: createLimitSearches(memory, clock),
    logger,
    memory,
    metaJson: createMetaReader({
      ask: opened.askMeta ?? ((host, signal) => askMeta(fetch, host, signal)),
      memory,
      stopped,
      onArrival: (ticket) => background.run(`meta ${ticket}`, () => decideAgain(ticket)),
    }),
    stopped,
    withLock,
  };
}

/** The context of one configuration: what lasts, and what depends on the settings. */
export function contextOf(lasting: Process, config: Config): Context {
  const { rules } = config;
  return {
    ...lasting,
    accountLinks: rules.account_link && lasting.helpdesk.accountLinks(rules.account_link),
    about: { version, helpdeskUrl: config.HELPDESK_URL },
    remembered: rememberedIn(lasting.memory),
    crm: openCrm(config, lasting),
    crmEnabled: config.CRM_ENABLED,
    crmTimeoutMs: config.CRM_TIMEOUT_SECONDS * 1_000,
    routing: rules,
    contactAddressesVouch: rules.trust_contact_addresses,
    sharedAddresses: rules.shared_addresses,
    hosts: rules,
    platformHost: rules.platform_hosts[0] ?? null,
    retentionMs: config.RETENTION_DAYS * dayMs,
    routesTickets: config.HELPDESK_WEBHOOK_SECRET !== undefined,
    enrichmentRuns: createEnrichmentRuns(),
    pause: (ms, signal) => machine.wait(ms, signal),
  };
}

/** Runs a command's work on a context of its own, without a service. Throws StoreError. */
export async function withContext<T>(config: Config, work: (ctx: Context) => Promise<T>): Promise<T> {
  const clock: Clock = machine.now;
  // The command says in words what fails; lines for machines would stand between them.
  const { logger } = wireLogger({ ...config, LOG_LEVEL: 'silent' });
  // Nothing stops a command but its own signal.
  const stopped = new AbortController().signal;
  const store = await openStore(config.DATABASE_URL.reveal(), clock);
  return withEgress(config, async (egress) => {
    const lasting = processOn(config, { store, egress, metrics: createMetrics(version), clock, logger, stopped });
    return work(contextOf(lasting, config)).finally(() => lasting.background.drain(1_000));
  }).finally(() => store.close());
}
