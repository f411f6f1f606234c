import type { Server } from 'node:http';
import { type Config, changedInForce } from './config.ts';
import type { Context, Work } from './context.ts';
import type { AskMeta } from './intake/meta-json.ts';
import { contextOf, countFaults, type Process, processOn, type ServiceLog, wireLogger } from './make-context.ts';
import { certificateEnd } from './net/certificate.ts';
import { createEgress } from './net/egress.ts';
import { mendFieldGap } from './routing/field-gap.ts';
import { createProcessInbox, sweepTickets } from './routing/inbox.ts';
import { assignWaiting } from './routing/waiting.ts';
import { withDeadline } from './runtime/concurrency.ts';
import { runRegularly } from './runtime/jobs.ts';
import { type Logger, lastingFaults, unexpected } from './runtime/log.ts';
import { machine } from './runtime/machine.ts';
import type { Clock } from './runtime/memory.ts';
import { revealed } from './runtime/secret.ts';
import { version } from './runtime/version.ts';
import { createApp } from './server/app.ts';
import { readPageAnchors } from './server/extension.ts';
import { createReadiness, faultOf, type Readiness } from './server/health.ts';
import { createHttpServer, listenAt, stopServer } from './server/http-server.ts';
import { createMetrics } from './server/metrics.ts';
import { backlog, heardOf } from './store/backlog.ts';
import { cleanUp } from './store/clean-up.ts';
import { isPostgres, openStore } from './store/database.ts';
import { createDuties } from './store/leases.ts';
import { installedAt, lastBackup, refusals } from './store/notes.ts';

export interface RunningProxy {
  /** The address it listens on, such as http://127.0.0.1:8787. */
  url: string;
  /** The ticket pipeline, so that tests need not wait for its schedule. */
  pipeline: Loops;
  /**
   * Has other settings in force: for requests and tickets from now on, while those under way end on the settings with which
   * they began. What needs a restart stays as it is, and is logged.
   */
  use(config: Config): void;
  /** Waits for the work that answers did not wait for, so that a test sees what it did. */
  idle(): Promise<void>;
  /** The service's log, whose faults are counted. */
  logger: Logger;
  /** Answers what has been asked, then ends; at most about five seconds. */
  close(): Promise<void>;
}

/** Parts that are made elsewhere: a test's own shops, for example, which the guard would not let through. */
export interface Overrides {
  askMeta?: AskMeta;
  /** Whoever starts it has one already. */
  log?: ServiceLog;
}

/** How long requests under way may take once it is told to stop, and how long everything may; the unit waits longer. */
const answerWithinMs = 4_000;
const stopWithinMs = 5_000;

/**
 * Starts the service: store, what lasts, a context of the settings in force, app, listening, loops. Throws StartError with
 * one sentence if the port is taken or the store cannot be opened.
 */
export async function startProxy(
  config: Config,
  clock: Clock = machine.now,
  { askMeta, log = wireLogger(config) }: Overrides = {},
): Promise<RunningProxy> {
  if (config.ALLOW_INSECURE_UPSTREAMS) log.logger.warn({}, 'ALLOW_INSECURE_UPSTREAMS is on: for demo and tests only');
  const metrics = createMetrics(version);
  const store = await openStore(config.DATABASE_URL.reveal(), clock);
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const logger = countFaults(log.logger, metrics);
  const stop = new AbortController();
  const lasting = processOn(config, { store, egress, metrics, clock, logger, stopped: stop.signal, askMeta });
  const servers: Server[] = [];
  const closeAll = async (patienceMs: number, loops?: Loops) => {
    stop.abort();
    const drained = lasting.background.drain(1_000);
    await Promise.all([...servers.map((one) => stopServer(one, patienceMs)), loops?.stop(), drained]);
    await Promise.all([store.close(), egress.close()]);
  };

  try {
    const readiness = createReadiness(lasting);
    const certificates = lasting.memory.readings<{ ends: number | null }>(forTenMinutes);
    // Other settings make another service; each request and each ticket is served by the one that it began with.
    let current = serviceOf(config, lasting, readiness);
    metrics.watch({
      crm: async () => (await current.ctx.crm?.state()) ?? null,
      backlog: () => backlog(store.db),
      instantOf: (stamp) => lasting.helpdesk.site.zone.known()?.toInstant(stamp) ?? null,
      refusals: () => refusals(store.db),
      missedByWebhook: async () => (await heardOf(store.db)).missed,
      backedUpAt: async () =>
        isPostgres(config.DATABASE_URL.reveal()) ? null : ((await lastBackup(store.db)) ?? installedAt(store.db)),
      certificateEnd: async () =>
        (await certificates.get('', () => endOfCertificate(current.config), stop.signal)).ends,
      clock,
    });
    const server = createHttpServer({ app: () => current.app, trustedProxies: config.TRUSTED_PROXIES, logger });
    const url = await listenAt(server, { host: config.HOST, port: config.PORT });
    servers.push(server);
    logger.info({ url, version }, 'Listening');

    const loops = loopsOn(() => current.ctx, stop);
    loops.start();
    void readiness.watch(stop.signal);
    return {
      url,
      pipeline: loops,
      use(wanted) {
        const { inForce, needRestart } = changedInForce(current.config, wanted);
        log.hide(inForce);
        current = serviceOf(inForce, lasting, readiness);
        // Nobody else says that what another service could not do is over; if it is not, it is noted again at once.
        for (const fault of lastingFaults) if (fault.startsWith('crm_')) metrics.faultEnded(fault, null);
        // Who reloads may have had a field made.
        lasting.helpdesk.site.fields.renew(stop.signal).catch(() => {});
        logger.info({}, 'The settings have been read again and are in force');
        if (needRestart.length > 0)
          logger.warn(
            { settings: needRestart },
            'These settings have changed and need a restart; those before stay in force',
          );
      },
      idle: () => lasting.background.idle(),
      logger,
      async close() {
        const ended = closeAll(answerWithinMs, loops).catch((error: unknown) =>
          logger.error(unexpected(error), 'Stopping failed'),
        );
        if ((await withDeadline(ended, stopWithinMs)) === 'timeout')
          logger.warn({}, 'Stopped before everything had ended; what is left undone is in the store');
        else logger.info({}, 'Stopped');
      },
    };
  } catch (error) {
    await closeAll(0);
    throw error;
  }
}

/**
 * The service under one configuration: everything that depends on settings that can change at run time. What it has begun
 * it ends, also when another one has taken its place.
 */
function serviceOf(config: Config, lasting: Process, readiness: Pick<Readiness, 'checks'>) {
  const ctx = contextOf(lasting, config);
  const { metrics, logger } = lasting;
  const pageAnchors = readPageAnchors(config.anchorsFile, logger);
  const app = createApp(ctx, {
    metrics,
    readiness,
    discovery: {
      name: 'deskside',
      version,
      helpdesk_url: config.HELPDESK_URL,
      oauth_client_ids: config.OAUTH_CLIENT_IDS,
      ...(pageAnchors && { page_anchors: pageAnchors }),
    },
    secrets: {
      crm: config.CRM_EVENT_TOKEN && revealed(config.CRM_EVENT_TOKEN),
      webhook: config.HELPDESK_WEBHOOK_SECRET && revealed(config.HELPDESK_WEBHOOK_SECRET),
      script: config.HELPDESK_SCRIPT_SECRET && revealed(config.HELPDESK_SCRIPT_SECRET),
      metrics: config.METRICS_TOKEN && revealed(config.METRICS_TOKEN),
    },
  });
  return { config, ctx, app };
}

/** A certificate is renewed seldom, and a scrape must not wait long. */
const forTenMinutes = { ttlMs: 10 * 60_000, max: 1 };
const certificateWithinMs = 2_000;

/** Null where there is none, or it cannot be had just now. */
async function endOfCertificate({ PUBLIC_URL: origin }: Config): Promise<{ ends: number | null }> {
  if (!origin?.startsWith('https:')) return { ends: null };
  return { ends: await certificateEnd(origin, machine.timeout(certificateWithinMs)).catch(() => null) };
}

/** The pause of each between two runs. */
const everyMs = { inbox: 1_000, sweep: 30_000, waiting: 15_000, clean: 6 * 3_600_000 };
/** Seldom is enough: it is for the helpdesk's clock being set back, which happens once a year. */
const wideSweepEveryMs = 3_600_000;
/** Longest run of a sweep, and of assigning waiting tickets. */
const withinMs = 60_000;
const endWithinMs = 3_000;

type Loops = ReturnType<typeof loopsOn>;

/**
 * What is done on a schedule; each can also be done once, at once.
 *
 * @param current the context that is in force
 * @param stop fires the signal `stopped` of every context
 */
export function loopsOn(current: () => Context, stop: AbortController) {
  const { clock, db, logger, signs, stopped } = current();
  const duties = createDuties({ db, clock, logger });
  const processInbox = createProcessInbox(current);
  const reported = new Set<string>();
  let lastWideSweep = Number.NEGATIVE_INFINITY;
  let ended: Promise<unknown> = Promise.resolve();

  const work = (): Work => ({ ...current(), signal: AbortSignal.any([stopped, machine.timeout(withinMs)]) });

  /** Finds tickets whose webhook never came; `isWide`: including those whose timestamps were set back by a clock change. */
  async function sweep(isWide = false): Promise<number> {
    const found = await sweepTickets(work(), { isWide, reported });
    if (found > 0) signs.emit('arrived');
    return found;
  }

  /** As the schedule has it: a wide one each hour, and again where that has failed. */
  async function sweepRegularly(): Promise<void> {
    const startedAt = clock();
    const isWide = startedAt - lastWideSweep >= wideSweepEveryMs;
    await sweep(isWide);
    if (isWide) lastWideSweep = startedAt;
    await mendFieldGap(work());
  }

  const loops = {
    /** Works on every ticket that is due now. */
    processInbox,
    sweep,
    sweepRegularly,
    /** Assigns waiting tickets to agents who are back. */
    assignWaiting: () => assignWaiting(work()),
    /** Deletes what has been kept long enough. */
    cleanUp: () => cleanUp(current(), stopped),
    start() {
      const how = (name: keyof typeof everyMs) => ({ name, everyMs: everyMs[name], logger, stopped, faultOf });
      const ifRouting = (task: () => Promise<unknown>) => async () => current().routesTickets && task();
      // Every process works on tickets; finding them is the work of one.
      const inbox = runRegularly(how('inbox'), ifRouting(processInbox));
      signs.on('arrived', inbox.wake);
      const tasks = [
        inbox,
        duties.regularly(how('sweep'), ifRouting(sweepRegularly)),
        duties.regularly(how('waiting'), ifRouting(loops.assignWaiting)),
        duties.regularly(how('clean'), loops.cleanUp),
      ];
      ended = Promise.all(tasks.map((task) => task.ended));
      duties.start();
    },
    /** Starts nothing new, aborts what runs, waits for it, though not for long, and lets others take over. */
    async stop() {
      stop.abort();
      // A CRM or a shop that hangs must not delay the stop: unfinished work is found again.
      await Promise.all([duties.stop(), Promise.race([ended, machine.wait(endWithinMs)])]);
    },
  };
  return loops;
}
