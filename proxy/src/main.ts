import type { AddressInfo } from 'node:net';
import type { Discovery } from '@deskside/shared/contract';
import { serve } from '@hono/node-server';
import { createFrappeHelpdesk } from './adapters/helpdesk-frappe/helpdesk.ts';
import { namedFields } from './adapters/helpdesk-frappe/ticket-fields.ts';
import { lruMemory } from './adapters/memory-lru/memory.ts';
import { createStoreMeta } from './adapters/store-meta/store-meta.ts';
import { openStore } from './adapters/store-sql/store.ts';
import { createBackground } from './app/background.ts';
import { createDescribeCaller } from './app/describe-caller.ts';
import { createEnrichStoreUrl } from './app/enrich-store-url.ts';
import { createGetTicketProfile } from './app/get-ticket-profile.ts';
import { createIntakeTicket } from './app/intake-ticket.ts';
import { createListDecisions } from './app/list-decisions.ts';
import { createGate } from './app/open-ticket.ts';
import { createReadSideFacts } from './app/read-side-facts.ts';
import { createRecordResponsible } from './app/record-responsible.ts';
import { rememberMeta } from './app/remember-meta.ts';
import { type Config, secretsOf } from './config.ts';
import { createApp } from './http/app.ts';
import { createLogger } from './log.ts';
import { createEgress } from './net/egress.ts';
import { createGuardedFetch } from './net/guarded.ts';
import type { Clock } from './ports/clock.ts';
import type { StoreMeta } from './ports/store-meta.ts';
import { createRedactor } from './redact.ts';
import { version } from './version.ts';
import { wireCrm } from './wire-crm.ts';
import { type Pipeline, wirePipeline } from './wire-pipeline.ts';
import { wireEnrichment, wireWrites } from './wire-writes.ts';

export interface RunningProxy {
  /** Where it listens, such as http://127.0.0.1:8787. */
  url: string;
  /** The ticket pipeline, so that a test need not wait for its regular turns. */
  pipeline: Pick<Pipeline, 'workOff' | 'sweep' | 'assignWaiting'>;
  /** Answers what has been asked, then ends; at most about five seconds. */
  close(): Promise<void>;
}

/** Parts that a test world replaces: shops of its own, which no guard would let through. */
export interface Overrides {
  storeMeta?: StoreMeta;
}

/** Longest time one request to the helpdesk may take; it answers within 30 ms when it is well (facts/live.md 2). */
const helpdeskTimeoutMs = 8_000;

const readyTimeoutMs = 5_000;

/** Unused answers of the CRM are kept this long as last good data. */
const keepForMs = 90 * 24 * 3_600_000;

/**
 * The composition root: makes every adapter, wires them to the application and listens. Throws StartError with one
 * sentence where the port is taken or the store cannot be opened.
 */
export async function startProxy(
  config: Config,
  clock: Clock = Date.now,
  overrides: Overrides = {},
): Promise<RunningProxy> {
  const logger = createLogger(config.LOG_LEVEL, createRedactor(secretsOf(config)));
  if (config.ALLOW_INSECURE_UPSTREAMS) logger.warn({}, 'ALLOW_INSECURE_UPSTREAMS is on: for demo and tests only');
  const store = await openStore(config.DATABASE_URL.reveal(), clock);
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const background = createBackground(logger);
  const memory = lruMemory;

  const helpdesk = createFrappeHelpdesk({
    upstream: egress.upstream(config.HELPDESK_URL, { timeoutMs: helpdeskTimeoutMs }),
    serviceKey: config.HELPDESK_API_KEY.reveal(),
    serviceSecret: config.HELPDESK_API_SECRET.reveal(),
    accountLinks: config.RULES_FILE.account_link,
    logger,
    clock,
  });
  const gate = createGate({ helpdesk, memory });

  const crm = wireCrm({ config, store, egress, memory, background, clock, logger });
  const cache = store.profileCache;
  const recordResponsible = createRecordResponsible({ helpdesk, gate, memory, background });

  const enrichment = wireEnrichment({ config, store, helpdesk, crm, gate, clock, logger });
  const storeMeta = overrides.storeMeta ?? createStoreMeta({ fetch: createGuardedFetch() });
  const intake = createIntakeTicket({
    storeMeta: rememberMeta(storeMeta, memory),
    tickets: helpdesk,
    rules: config.RULES_FILE,
  });
  const { HELPDESK_WEBHOOK_SECRET: webhookSecrets, HELPDESK_SCRIPT_SECRET: scriptSecrets } = config;
  const pipeline = wirePipeline({ config, store, helpdesk, crm, ...enrichment, intake, gate, clock, logger });

  const app = createApp({
    getTicketProfile: createGetTicketProfile({
      gate,
      clock,
      crmEnabled: config.CRM_ENABLED,
      crm,
      readSideFacts: createReadSideFacts({ helpdesk, memory, background }),
      recordResponsible,
      syncLog: store.syncLog,
      decisions: store.decisions,
    }),
    ...wireWrites({ config, store, helpdesk, crm, gate, enrichment, recordResponsible, clock, logger }),
    enrichStoreUrl: createEnrichStoreUrl({ gate, records: helpdesk, tickets: helpdesk, intake }),
    listDecisions: createListDecisions({ gate, decisions: store.decisions }),
    describeCaller: createDescribeCaller({
      gate,
      helpdesk,
      crmState: { enabled: config.CRM_ENABLED, configured: crm !== null, knowsUsers: crm?.crm.knowsUsers ?? false },
      about: { version, helpdeskUrl: config.HELPDESK_URL },
    }),
    discovery: {
      name: 'deskside',
      version,
      helpdesk_url: config.HELPDESK_URL,
      oauth_client_ids: config.OAUTH_CLIENT_IDS,
    } satisfies Discovery,
    readiness: {
      store: () => cache.probe(),
      helpdesk: async () => {
        const signal = AbortSignal.timeout(readyTimeoutMs);
        await Promise.all([helpdesk.warm(signal), helpdesk.ping(signal)]);
      },
    },
    crmEvents:
      crm && config.CRM_EVENT_TOKEN
        ? { tokens: config.CRM_EVENT_TOKEN.map((token) => token.reveal()), markCompanyStale: crm.markCompanyStale }
        : undefined,
    ticketEvents: webhookSecrets && { secrets: webhookSecrets.map((s) => s.reveal()), receive: pipeline.receive },
    beforeInsert: scriptSecrets && {
      secrets: scriptSecrets.map((s) => s.reveal()),
      decide: pipeline.decideBeforeInsert,
      fieldNames: namedFields,
    },
    logger,
  });

  background.run('warm', (signal) => helpdesk.warm(signal));
  background.run('sweep', async () => {
    const removed = await cache.deleteCheckedBefore(clock() - keepForMs);
    if (removed > 0) logger.info({ removed }, 'Old CRM answers removed');
  });

  const server = serve({ fetch: app.fetch, hostname: config.HOST, port: config.PORT });
  try {
    await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
  } catch (error) {
    await Promise.all([store.close(), egress.close()]);
    throw new StartError(listenProblem(error, config));
  }
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
  logger.info({ url, version }, 'Listening');
  // Whoever gives the helpdesk's webhook a secret wants tickets to be routed.
  if (webhookSecrets) pipeline.start();

  return {
    url,
    pipeline,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const patience = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), 4_000);
      if ('closeIdleConnections' in server) server.closeIdleConnections();
      await closed;
      clearTimeout(patience);
      await pipeline.stop();
      await background.drain(1_000);
      await Promise.all([store.close(), egress.close()]);
      logger.info({}, 'Stopped');
    },
  };
}

/** The start failed for a reason outside of the configuration; the message is one sentence for a person. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

function listenProblem(error: unknown, { HOST, PORT }: Config): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `Port ${PORT} on ${HOST} is in use by another program; set PORT to a free one.`;
  if (code === 'EACCES') return `Port ${PORT} may not be used by this account; set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${HOST} is no address of this machine; set HOST to one, or to 0.0.0.0 for all.`;
  return `The proxy could not listen on ${HOST}:${PORT} (${code ?? 'unknown reason'}).`;
}
