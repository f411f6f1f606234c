import { LRUCache } from 'lru-cache';
import { unlessAborted } from '#concurrency/unless-aborted.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';

/**
 * A cache of reads by key. Simultaneous callers for one key share a single read, which none of them alone can abort.
 */
export type ReadCache<T> = (key: string, signal: AbortSignal) => Promise<T>;

/** A fact about the site that seldom changes. Reads are shared as in a ReadCache. */
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

/** Maximum number of cached keys; the least recently used is dropped first. */
const maxKeys = 1_000;

interface Source<T> {
  read: (key: string, signal: AbortSignal) => Promise<T>;
  forMs: number;
  clock: Clock;
}

/** Caches what `read` returns for `forMs`, including `null` and `false`. Failures are not cached. */
export function createReadCache<T>(source: Source<T>): ReadCache<T> {
  const cache = openCache(source);
  return (key, signal) => valueWithin(cache.forceFetch(key), signal);
}

/** @param subject what is read, as the beginning of a sentence about failing to read it again */
export function createMetadataCache<T>(deps: {
  subject: string;
  read: (signal: AbortSignal) => Promise<T>;
  logger: Logger;
  clock: Clock;
}): MetadataCache<T> {
  const { subject, logger, clock } = deps;
  const known = () => cache.peek(subject, { allowStale: true })?.value;
  const cache = openCache<T>({ read: (_, signal) => read(signal), forMs: metadataForMs, clock });

  async function read(signal: AbortSignal): Promise<T> {
    try {
      return await deps.read(signal);
    } catch (error) {
      const kind = error instanceof HelpdeskError ? error.kind : 'unknown';
      if (known() !== undefined)
        logger.warn({ kind }, `${subject} could not be read again; the last known value stays in use`);
      throw error;
    }
  }

  return {
    get: (signal) => valueWithin(cache.forceFetch(subject, { allowStale: true }), signal),
    renew: (signal) => valueWithin(cache.forceFetch(subject, { forceRefresh: true }), signal),
    known,
  };
}

function openCache<T>({ read, forMs, clock }: Source<T>) {
  return new LRUCache<string, { value: T }>({
    max: maxKeys,
    // The library considers a value stale only when it is older than this.
    ttl: forMs - 1,
    ttlResolution: 0,
    perf: { now: clock },
    fetchMethod: async (key) => ({ value: await read(key, AbortSignal.timeout(readTimeoutMs)) }),
    // A stale value stays in use if it cannot be read again.
    noDeleteOnFetchRejection: true,
    // A key that is evicted meanwhile is still read for its waiting callers.
    ignoreFetchAbort: true,
  });
}

async function valueWithin<T>(fetched: Promise<{ value: T }>, signal: AbortSignal): Promise<T> {
  return (await unlessAborted(fetched, signal)).value;
}
