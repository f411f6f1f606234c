import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import { unlessAborted } from '#runtime/unless-aborted.ts';
import { HelpdeskError } from './helpdesk.ts';

/** A fact about the site that seldom changes. Simultaneous callers share a single read, which none of them alone can abort. */
export interface MetadataCache<T> {
  /** The known value; reads it only if there is none. After ten minutes it is renewed in the background. */
  get(signal: AbortSignal): Promise<T>;
  /** Reads again: the helpdesk has shown the known value to be wrong. */
  renew(signal: AbortSignal): Promise<T>;
  /** The known value; undefined if there is none yet. */
  known(): T | undefined;
}

/** Metadata is far larger than other responses (docs/helpdesk.md#reading) and may take long. */
const readTimeoutMs = 15_000;
const metadataForMs = 10 * 60_000;

/** @param subject what is read, as the beginning of a sentence about failing to read it again */
export function createMetadataCache<T>({
  subject,
  read,
  logger,
  clock,
}: {
  subject: string;
  read: (signal: AbortSignal) => Promise<T>;
  logger: Logger;
  clock: Clock;
}): MetadataCache<T> {
  let known: { value: T; at: number } | undefined;
  let reading: Promise<T> | undefined;

  async function readNow(): Promise<T> {
    try {
      const value = await read(AbortSignal.timeout(readTimeoutMs));
      known = { value, at: clock() };
      return value;
    } catch (error) {
      const kind = error instanceof HelpdeskError ? error.kind : 'unknown';
      if (known) logger.warn({ kind }, `${subject} could not be read again; the last known value stays in use`);
      throw error;
    } finally {
      reading = undefined;
    }
  }

  function readOnce(): Promise<T> {
    reading ??= readNow();
    return reading;
  }

  return {
    async get(signal) {
      signal.throwIfAborted();
      if (known === undefined) return unlessAborted(readOnce(), signal);
      if (clock() - known.at >= metadataForMs) readOnce().catch(() => {});
      return known.value;
    },
    renew: (signal) => unlessAborted(readOnce(), signal),
    known: () => known?.value,
  };
}
