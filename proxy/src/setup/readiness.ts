import { setTimeout as wait } from 'node:timers/promises';
import { HelpdeskError, helpdeskProblem } from '#helpdesk/errors.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import { createReadiness, type Looked, type Readiness } from '#runtime/readiness.ts';
import { probe } from '#store/notes.ts';
import type { StateDb } from '#store/schema.ts';
import { driverCode, isFull, StoreUnavailable } from '#store/store-error.ts';
import { describeHeard, heardOf } from '#store/tickets.ts';

const withinMs = 5_000;

/** What must work before requests are welcome. */
export function readinessOf({
  db,
  helpdesk,
  clock,
  logger,
}: {
  db: StateDb;
  helpdesk: Helpdesk;
  clock: Clock;
  logger: Logger;
}): Readiness {
  return createReadiness({
    look: {
      store: () =>
        probe(db).then(
          (): Looked => ({ ok: true, message: 'The store answers.' }),
          (error: unknown): Looked => ({ ok: false, message: whyNoStore(error), fault: 'store_failing' }),
        ),
      helpdesk: () =>
        askHelpdesk(helpdesk, AbortSignal.timeout(withinMs)).then(
          (): Looked => ({ ok: true, message: 'The helpdesk answers the service account.' }),
          problemOf,
        ),
      // It delays tickets and keeps nobody from being served, so it is told and does not count.
      webhook: () =>
        heardOf(db).then(
          (heard): Looked => ({ ok: true, message: describeHeard(heard).text }),
          (): Looked => ({ ok: true, message: 'Last webhook: unknown.' }),
        ),
    },
    clock,
    logger,
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
  });
}

function whyNoStore(error: unknown): string {
  return isFull(error instanceof StoreUnavailable ? error.code : driverCode(error))
    ? "The store's disk is full. Free up space."
    : 'The store cannot be read. Check the database and its disk.';
}

/** Throws unless the service account is answered. Once what is remembered of the site has been read, that is one request. */
async function askHelpdesk(helpdesk: Helpdesk, signal: AbortSignal) {
  if (helpdesk.missingFields() !== null) return helpdesk.people.ping(signal);
  try {
    await helpdesk.warm(signal);
  } catch (error) {
    // It says more of the reason.
    await helpdesk.people.ping(signal);
    throw error;
  }
}

function problemOf(error: unknown): Looked {
  const { text, todo } = helpdeskProblem(error);
  const isRefused = error instanceof HelpdeskError && ['unauthenticated', 'forbidden'].includes(error.kind);
  return { ok: false, message: `${text} ${todo}`, fault: isRefused ? 'service_key_refused' : 'helpdesk_unreachable' };
}
