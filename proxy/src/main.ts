import type { AddressInfo } from 'node:net';
import type { Discovery } from '@deskside/shared/contract';
import { createJudgeClaimsAgain } from '#app/routing/judge-claims-again.ts';
import { namedFields } from './adapters/helpdesk-frappe/fields/ticket-fields.ts';
import { createFrappeHelpdesk } from './adapters/helpdesk-frappe/helpdesk.ts';
import { lruMemory } from './adapters/memory-lru/memory.ts';
import { createStoreMeta, rememberMeta } from './adapters/store-meta/store-meta.ts';
import { openStore } from './adapters/store-sql/store.ts';
import { createAgentGate } from './app/access/agent-gate.ts';
import { createDescribeCaller } from './app/access/describe-caller.ts';
import { createLimitRefreshes } from './app/crm/limit-refreshes.ts';
import { createFindCompanies } from './app/find/find-companies.ts';
import { createLimitSearches } from './app/find/limit-searches.ts';
import { createEnrichStoreUrl } from './app/intake/enrich-store-url.ts';
import { createIntakeTicket } from './app/intake/intake-ticket.ts';
import { createRecordResponsible } from './app/profile/record-responsible.ts';
import { createListDecisions } from './app/routing/list-decisions.ts';
import { createBackground } from './app/runtime/background.ts';
import { createNoteMissingAnchor } from './app/runtime/note-missing-anchor.ts';
import { unexpected } from './app/runtime/unexpected.ts';
import { withDeadline } from './app/runtime/with-deadline.ts';
import { crmAdapter } from './config/crm-adapter.ts';
import type { Config } from './config/environment.ts';
import { version } from './config/version.ts';
import { createApp } from './http/app.ts';
import { createHttpServer } from './http/server/server.ts';
import { stopServer } from './http/server/stop-server.ts';
import { createEgress } from './net/egress.ts';
import { createGuardedFetch } from './net/guarded.ts';
import type { Clock } from './ports/clock.ts';
import type { StoreMeta } from './ports/store-meta.ts';
import { wireCrm, wireFind } from './wiring/crm.ts';
import { wireHelpdeskUpstream } from './wiring/helpdesk-upstream.ts';
import { wireLogger } from './wiring/logger.ts';
import { type Pipeline, wirePipeline } from './wiring/pipeline.ts';
import { wireProfile } from './wiring/profile.ts';
import { wireCleaning } from './wiring/retention.ts';
import { wireEnrichment, wireWrites } from './wiring/writes.ts';

export interface RunningProxy {
  /** The address it listens on, such as http://127.0.0.1:8787. */
  url: string;
  /** The ticket pipeline, so that tests need not wait for its schedule. */
  pipeline: Pick<Pipeline, 'processInbox' | 'sweep' | 'assignWaiting'>;
  /** Deletes what has been kept long enough, which otherwise happens every six hours. */
  cleanUp(): Promise<void>;
  /** Waits for the work that answers did not wait for, so that a test sees what it did. */
  idle(): Promise<void>;
  /** Answers what has been asked, then ends; at most about five seconds. */
  close(): Promise<void>;
}

/** Parts that a test replaces: its own shops, for example, which the guard would not let through. */
export interface Overrides {
  storeMeta?: StoreMeta;
}

const readyTimeoutMs = 5_000;

/** How long requests under way may take once it is told to stop, and how long everything may (docs/operations.md#health). */
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
  const logger = wireLogger(config);
  if (config.ALLOW_INSECURE_UPSTREAMS) logger.warn({}, 'ALLOW_INSECURE_UPSTREAMS is on: for demo and tests only');
  const store = await openStore(config.DATABASE_URL.reveal(), clock, (database) =>
    logger.warn({ database }, 'Waiting for another process that brings the tables up to date'),
  );
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const background = createBackground(logger);
  const memory = lruMemory;

  const helpdesk = createFrappeHelpdesk({
    upstream: wireHelpdeskUpstream(config, egress),
    serviceKey: config.HELPDESK_API_KEY.reveal(),
    serviceSecret: config.HELPDESK_API_SECRET.reveal(),
    accountLinks: config.RULES_FILE.account_link,
    logger,
    clock,
  });
  const gate = createAgentGate({ helpdesk, memory });

  const again = createJudgeClaimsAgain({ decisions: store.decisions, inbox: store.inbox, clock });
  const claimConfirmed = (ticket: string) => background.run(`claim ${ticket}`, () => again.ofTicket(ticket));
  const onChanged = again.ofOrgIds;
  const crm = wireCrm({ config, store, egress, memory, background, clock, logger, onChanged });
  const cache = store.profileCache;
  const limitRefreshes = createLimitRefreshes(memory, clock);
  const recordResponsible = createRecordResponsible({ helpdesk, gate, memory, background });

  const enrichment = wireEnrichment({ config, store, helpdesk, crm, gate, clock, logger });
  const shops = overrides.storeMeta ?? createStoreMeta({ fetch: createGuardedFetch() });
  const storeMeta = rememberMeta(shops, memory);
  const intake = createIntakeTicket({ storeMeta, tickets: helpdesk, rules: config.RULES_FILE });
  const { HELPDESK_WEBHOOK_SECRET: webhookSecrets, HELPDESK_SCRIPT_SECRET: scriptSecrets } = config;
  const pipeline = wirePipeline({
    config,
    store,
    helpdesk,
    crm,
    ...enrichment,
    storeMeta,
    gate,
    background,
    clock,
    logger,
  });
  const cleaning = wireCleaning({ config, store, helpdesk, clock, logger });

  const app = createApp({
    requireAgent: gate.requireAgent,
    ...wireProfile({
      ...{ config, store, helpdesk, crm, gate, recordResponsible, claimConfirmed, memory, background, clock },
      readSenderRecords: enrichment.readSenderRecords,
      senderMemory: enrichment.senderMemory,
      limitRefreshes,
    }),
    ...wireWrites({
      ...{ config, store, helpdesk, crm, gate, enrichment, limitRefreshes },
      ...{ recordResponsible, claimConfirmed, move: pipeline.move, clock, logger },
    }),
    enrichStoreUrl: createEnrichStoreUrl({ gate, records: helpdesk, tickets: helpdesk, intake }),
    findCompanies: createFindCompanies({
      ...{ gate, helpdesk, clock, crmEnabled: config.CRM_ENABLED, hosts: config.RULES_FILE },
      crm: crm && wireFind(crm),
      limit: createLimitSearches(memory, clock),
      senderMemory: enrichment.senderMemory,
    }),
    listDecisions: createListDecisions({ gate, decisions: store.decisions, helpdesk }),
    describeCaller: createDescribeCaller({
      gate,
      helpdesk,
      crmState: { enabled: config.CRM_ENABLED, configured: crm !== null, knowsUsers: crm?.crm.knowsUsers ?? false },
      about: { version, helpdeskUrl: config.HELPDESK_URL },
    }),
    noteMissingAnchor: createNoteMissingAnchor({
      gate,
      helpdesk,
      missing: store.missingAnchors,
      memory,
      clock,
      logger,
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
        ? {
            tokens: config.CRM_EVENT_TOKEN.map((token) => token.reveal()),
            readEvent: crmAdapter.readEvent,
            markCompanyStale: crm.markCompanyStale,
          }
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

  const server = createHttpServer({ fetch: app.fetch, trustedProxies: config.TRUSTED_PROXIES, memory, logger });
  server.listen(config.PORT, config.HOST);
  try {
    await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
  } catch (error) {
    await Promise.all([store.close(), egress.close()]);
    throw new StartError(listenProblem(error, config));
  }
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
  logger.info({ url, version }, 'Listening');
  // An operator who gives the helpdesk's webhook a secret wants tickets to be routed.
  if (webhookSecrets) pipeline.start();
  cleaning.start();

  return {
    url,
    pipeline,
    cleanUp: cleaning.cleanUp,
    idle: () => background.idle(),
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

  async function stop(): Promise<void> {
    const drained = background.drain(1_000);
    await Promise.all([stopServer(server, answerWithinMs), pipeline.stop(), cleaning.stop(), drained]);
    await Promise.all([store.close(), egress.close()]);
  }
}

/** The start failed for a reason outside the configuration; the message is one sentence for a person. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

function listenProblem(error: unknown, { HOST, PORT }: Config): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `Port ${PORT} on ${HOST} is already in use; set PORT to a free one.`;
  if (code === 'EACCES') return `Port ${PORT} may not be used by this account; set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${HOST} is not an address of this machine; set HOST to one, or to 0.0.0.0 for all.`;
  return `The proxy could not listen on ${HOST}:${PORT} (${code ?? 'unknown reason'}).`;
}
