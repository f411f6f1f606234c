import { createFrappeSite } from './adapters/helpdesk-frappe/helpdesk.ts';
import { lruMemory } from './adapters/memory-lru/memory.ts';
import { createMetrics } from './adapters/metrics-prom/metrics.ts';
import { createStoreMeta, rememberMeta } from './adapters/store-meta/store-meta.ts';
import { openStore } from './adapters/store-sql/store.ts';
import { createAgentGate } from './app/access/agent-gate.ts';
import { createCredentialPools } from './app/access/credential-pools.ts';
import { createLimitRefreshes } from './app/crm/limit-refreshes.ts';
import { createLimitSearches } from './app/find/limit-searches.ts';
import { createMetaQueue } from './app/intake/meta-queue.ts';
import { createReadDay } from './app/operator/read-day.ts';
import { alsoSeenBy, createRecentCrm } from './app/operator/recent-crm.ts';
import { createLearnTurns, withKnownTurns } from './app/routing/after-restore/learn-turns.ts';
import { createBackground } from './app/runtime/background.ts';
import { createDuties } from './app/runtime/duties/duties.ts';
import { runRegularly } from './app/runtime/duties/run-regularly.ts';
import { createWithLock } from './app/runtime/duties/with-lock.ts';
import { reportsPerAgent } from './app/runtime/note-missing-anchor.ts';
import { createRateLimit } from './app/runtime/rate-limit.ts';
import { unexpected } from './app/runtime/unexpected.ts';
import { withDeadline } from './app/runtime/with-deadline.ts';
import { createWrites } from './app/runtime/writes.ts';
import type { Settings } from './app/settings/settings.ts';
import { wireReadiness } from './checks/readiness.ts';
import type { Config } from './config/environment.ts';
import { version } from './config/version.ts';
import { listenAt } from './http/server/listen.ts';
import { createMetricsListener } from './http/server/metrics-listener.ts';
import { createHttpServer } from './http/server/server.ts';
import { stopServer } from './http/server/stop-server.ts';
import { createEgress } from './net/egress.ts';
import { createGuardedFetch } from './net/guarded.ts';
import type { StoreMeta } from './ports/intake/store-meta.ts';
import type { Clock } from './ports/runtime/clock.ts';
import { wireBackfilling } from './wiring/backfill.ts';
import { crmUpstreams } from './wiring/crm.ts';
import { wireHelpdeskUpstream } from './wiring/helpdesk-upstream.ts';
import { type Alerts, wireAlerts } from './wiring/monitoring/alerts.ts';
import { type ServiceLog, wireLogger } from './wiring/monitoring/logger.ts';
import { countedDecisions, watchService } from './wiring/monitoring/metrics.ts';
import { wireOperatorGate, wireOperatorPage } from './wiring/operator-page.ts';
import { type Pipeline, wirePipeline } from './wiring/pipeline.ts';
import { wireCleaning } from './wiring/retention.ts';
import { type Lasting, wireService } from './wiring/service.ts';
import { serviceKeyOf } from './wiring/service-account.ts';
import { readSettings, wireSettings } from './wiring/settings/settings.ts';

export interface RunningProxy {
  /** The address it listens on, such as http://127.0.0.1:8787. */
  url: string;
  /** Where Prometheus reads without a token, on this machine alone; null without METRICS_PORT. */
  metricsUrl: string | null;
  /** The ticket pipeline, so that tests need not wait for its schedule. */
  pipeline: Pick<Pipeline, 'processInbox' | 'sweep' | 'assignWaiting'>;
  /** The settings that can change at run time; a test need not wait until they are looked for. */
  settings: Settings;
  /** Deletes what has been kept long enough, which otherwise happens every six hours. */
  cleanUp(): Promise<void>;
  /** Waits for the work that answers did not wait for, so that a test sees what it did. */
  idle(): Promise<void>;
  /**
   * The service's log, in which an alert is more than a line; `told` waits a moment for what is being told, `tend` looks
   * at once which alerts are over.
   */
  alerts: Pick<Alerts, 'logger' | 'told' | 'tend' | 'active'>;
  /** Resolves if a file of the store turns out to be damaged: nothing more should be written to it. */
  damaged: Promise<void>;
  /** Answers what has been asked, then ends; at most about five seconds. */
  close(): Promise<void>;
}

/** Parts that are made elsewhere: a test's own shops, for example, which the guard would not let through. */
export interface Overrides {
  storeMeta?: StoreMeta;
  /** Whoever starts it has one already. */
  log?: ServiceLog;
}

/** Pause between two looks for changed settings: in force everywhere within five seconds (docs/decisions.md 34). */
const lookForSettingsMs = 2_000;

/** How long requests under way may take once it is told to stop, and how long everything may (docs/monitoring.md#health). */
const answerWithinMs = 4_000;
const stopWithinMs = 5_000;

/**
 * The composition root: creates every adapter, wires it into the application and listens. Throws StartError with one
 * sentence if the port is taken or the store cannot be opened.
 */
export async function startProxy(
  config: Config,
  clock: Clock = Date.now,
  overrides: Overrides = {},
): Promise<RunningProxy> {
  const log = overrides.log ?? wireLogger(config);
  if (config.ALLOW_INSECURE_UPSTREAMS) log.logger.warn({}, 'ALLOW_INSECURE_UPSTREAMS is on: for demo and tests only');
  const recentCrm = createRecentCrm(clock);
  const metrics = alsoSeenBy(createMetrics(version), recentCrm);
  const opened = await openStore(config.DATABASE_URL.reveal(), clock, (database) =>
    log.logger.warn({ database }, 'Waiting for another process that brings the tables up to date'),
  );
  const stopped = new AbortController();
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const alerts = wireAlerts({ config, egress, leases: opened.leases, clock, logger: log.logger, metrics });
  const { logger } = alerts;
  const background = createBackground(logger);
  const memory = lruMemory;

  const writes = createWrites();
  const upstream = wireHelpdeskUpstream(config, egress, {
    onRefused: () => void readiness.lookAgain(pipeline.stopped),
    onWrite: writes.note,
  });
  const site = createFrappeSite({
    upstream,
    serviceKey: serviceKeyOf(config),
    logger,
    clock,
  });
  const helpdesk = site.withAccountLinks(null);
  const pools = createCredentialPools(memory);
  const gate = createAgentGate({ helpdesk, memory, pools });
  const withLock = createWithLock(opened.leases);
  const duties = createDuties({ leases: opened.leases, logger });
  const learnTurns = createLearnTurns({ ...opened, helpdesk, withLock, logger });
  const decisions = countedDecisions(withKnownTurns(opened.decisions, learnTurns), metrics);
  const store = { ...opened, decisions };
  const shared = { store, gate, withLock, background, memory, clock, logger };
  const pipeline = wirePipeline({
    ...{ ...shared, ...store, helpdesk, duties },
    run: (work, signal) => current.run(work, signal),
    // An operator who gives the helpdesk's webhook a secret wants tickets to be routed.
    isOn: () => current.config.HELPDESK_WEBHOOK_SECRET !== undefined,
  });
  const backfilling = wireBackfilling({ duties, logger, current: () => current });
  const readiness = wireReadiness({ store, helpdesk, clock, logger });
  const cleaning = wireCleaning({ config, store, helpdesk, duties, clock, logger });
  const first = await readSettings(config, store.settings).catch(async (error: unknown) => {
    await alerts.stop();
    await Promise.all([store.close(), egress.close()]);
    throw error;
  });
  const settings = wireSettings({
    ...{ config, store: store.settings, seen: first.seen, clock, logger },
    current: () => current.config,
    apply: (changed) => {
      current = serviceOf(changed);
    },
  });
  const storeMeta = rememberMeta(overrides.storeMeta ?? createStoreMeta({ fetch: createGuardedFetch() }), memory);
  /** Something is known now that the ticket's decision went without. */
  const decideAgain = async (ticket: string) => {
    await store.inbox.enqueue([ticket], clock(), clock());
    pipeline.wake();
  };
  const lasting: Lasting = {
    ...{ ...shared, writes, site, upstream, pipeline, learnTurns, metrics, alerts, readiness },
    crmUpstream: crmUpstreams(egress),
    storeMeta,
    metaQueue: createMetaQueue({
      storeMeta,
      stopped: pipeline.stopped,
      onArrival: (ticket) => background.run(`meta ${ticket}`, () => decideAgain(ticket)),
    }),
    limitRefreshes: createLimitRefreshes(memory, clock),
    limitSearches: createLimitSearches(memory, clock),
    anchorReports: createRateLimit(memory, reportsPerAgent),
    operatorPage: await wireOperatorPage(config),
    operatorGate: wireOperatorGate({ config: first.current, store, upstream, pools, clock }),
    readDay: createReadDay({ watch: store.pipelineWatch, clock }),
    recentCrm,
    settings,
  };
  const serviceOf = (changed: Config) => {
    log.hide(changed);
    return wireService(changed, lasting);
  };
  // Changed settings make another service; each request and each ticket is served by the one that it began with.
  let current = serviceOf(first.current);

  const server = createHttpServer({
    fetch: (request, env) => current.app.fetch(request, env),
    trustedProxies: config.TRUSTED_PROXIES,
    memory,
    logger,
  });
  const scrapes = config.METRICS_PORT === undefined ? null : createMetricsListener(metrics);
  if (scrapes || config.METRICS_TOKEN)
    watchService(metrics, { store, crm: () => current.crmState(), alerts: alerts.active, clock });
  const addresses = await listen().catch(async (error: unknown) => {
    await Promise.all([alerts.stop(), ...(scrapes ? [stopServer(scrapes, 0)] : [])]);
    await Promise.all([store.close(), egress.close()]);
    throw error;
  });
  logger.info({ ...addresses, version }, 'Listening');
  void readiness.untilReady(pipeline.stopped);
  const damaged = watchFiles();
  pipeline.start();
  cleaning.start();
  backfilling.start();
  duties.start();
  const following = runRegularly(
    { name: 'settings', everyMs: lookForSettingsMs, logger, stopped: stopped.signal },
    settings.refresh,
  );

  return {
    ...addresses,
    pipeline,
    settings,
    cleanUp: cleaning.cleanUp,
    idle: () => background.idle(),
    alerts,
    damaged,
    async close() {
      const ended = stop().then(
        () => 'ended' as const,
        (error: unknown) => {
          logger.error(unexpected(error), 'Stopping failed');
          return 'ended' as const;
        },
      );
      if ((await withDeadline(ended, stopWithinMs)) === 'timeout')
        logger.warn({}, 'Stopped before everything had ended; what is left undone is in the store');
      else logger.info({}, 'Stopped');
    },
  };

  async function listen(): Promise<Pick<RunningProxy, 'url' | 'metricsUrl'>> {
    const { HOST: host, PORT: port, METRICS_PORT } = config;
    const own = { host: '127.0.0.1', port: METRICS_PORT ?? 0, settings: { host: null, port: 'METRICS_PORT' } };
    const metricsUrl = scrapes && `${await listenAt(scrapes, own)}/metrics`;
    return { url: await listenAt(server, { host, port, settings: { host: 'HOST', port: 'PORT' } }), metricsUrl };
  }

  /** Not waited for: the check of a large file takes a minute (docs/decisions.md 38). */
  async function watchFiles(): Promise<void> {
    const found = await store.checkFiles().catch((error: unknown) => {
      logger.warn(unexpected(error), 'The store could not be checked for damage');
      return [];
    });
    for (const problem of found) logger.error({ alert: 'store_failing', problem }, 'The store is damaged');
    if (found.length === 0) await new Promise(() => {});
  }

  async function stop(): Promise<void> {
    stopped.abort();
    const drained = background.drain(1_000);
    const servers = [server, ...(scrapes ? [scrapes] : [])].map((one) => stopServer(one, answerWithinMs));
    const tasks = [duties.stop(), pipeline.stop(), cleaning.stop(), backfilling.stop(), following.ended];
    await Promise.all([...servers, ...tasks, drained]);
    await alerts.stop();
    await Promise.all([store.close(), egress.close()]);
  }
}
