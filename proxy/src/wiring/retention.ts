import type { Store } from '#adapters/store-sql/store.ts';
import { cleanUp } from '#app/retention/clean-up.ts';
import type { Duties } from '#app/runtime/duties/duties.ts';
import type { Config } from '#config/environment.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';

const everyMs = 6 * 3_600_000;

/** What deletes old data, on a schedule and, for tests, at once. */
export interface Cleaning {
  cleanUp(): Promise<void>;
  start(): void;
  /** Starts nothing new, and waits for the portion that is being deleted. */
  stop(): Promise<void>;
}

/** Part of the composition root: what is deleted when it has been kept long enough. */
export function wireCleaning(parts: {
  config: Config;
  store: Store;
  helpdesk: HelpdeskTickets;
  duties: Duties;
  clock: Clock;
  logger: Logger;
}): Cleaning {
  const { config, store, helpdesk, clock, logger } = parts;
  const ctx = { ...store, helpdesk, retentionMs: retentionOf(config), clock, logger };
  const stopped = new AbortController();
  const run = () => cleanUp(ctx, stopped.signal);
  let ended: Promise<unknown> = Promise.resolve();
  return {
    cleanUp: run,
    start() {
      ended = parts.duties.regularly({ name: 'clean', everyMs, logger, stopped: stopped.signal }, run).ended;
    },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** How long the records of a closed ticket are kept, in milliseconds. */
export function retentionOf({ RETENTION_DAYS }: Config): number {
  return RETENTION_DAYS * 24 * 3_600_000;
}
