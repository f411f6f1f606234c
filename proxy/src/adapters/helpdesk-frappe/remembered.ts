import type { Clock } from '../../ports/clock.ts';
import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { Logger } from '../../ports/logger.ts';

/** Something about the site that seldom changes. */
export interface Remembered<T> {
  /** What is known; asks only if nothing is. Knowledge of more than ten minutes is renewed meanwhile. */
  get(signal: AbortSignal): Promise<T>;
  /** Asks again: the helpdesk says that what is known is wrong. */
  renew(signal: AbortSignal): Promise<T>;
  /** What is known already; undefined until something is. */
  known(): T | undefined;
}

const freshForMs = 10 * 60_000;

/** Metadata is far larger than other answers (facts/frappe.md, "Discovering fields") and may be slow to come. */
export const readTimeoutMs = 15_000;

/**
 * Reads once for all who ask at the same time, which no single one of them can abort, and remembers what came.
 *
 * @param subject what is read, as a sentence about failing to read it again begins
 */
export function remember<T>(deps: {
  subject: string;
  read: (signal: AbortSignal) => Promise<T>;
  logger: Logger;
  clock: Clock;
}): Remembered<T> {
  const { subject, read, logger, clock } = deps;
  let known: { value: T; since: number } | undefined;
  let reading: Promise<T> | undefined;

  function readNow(): Promise<T> {
    reading ??= read(AbortSignal.timeout(readTimeoutMs))
      .then((value) => {
        known = { value, since: clock() };
        return value;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  return {
    async get(signal) {
      if (known === undefined) return orAborted(readNow(), signal);
      if (clock() - known.since >= freshForMs && reading === undefined) {
        readNow().catch((error: unknown) => {
          const kind = error instanceof HelpdeskError ? error.kind : 'unknown';
          logger.warn({ kind }, `${subject} could not be read again; what is known stays in use`);
        });
      }
      return known.value;
    },
    renew: (signal) => orAborted(readNow(), signal),
    known: () => known?.value,
  };
}

/** Waits no longer than the signal allows; the work goes on for the others. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
