import { createMiddleware } from 'hono/factory';
import type { Memory } from '#runtime/memory.ts';
import type { AppEnv } from './http-context.ts';
import { securityHeaders } from './request-log.ts';

const encoder = new TextEncoder();
const keptMs = 1_000;
const maxKept = 2_000;

/** Counts what this process writes anywhere: what was read before a write may be out of date (docs/decisions.md 40). */
export interface Writes {
  /** How many there have been. */
  count(): number;
  /** There has been one. */
  note(): void;
}

export function countWrites(): Writes {
  let writes = 0;
  return {
    count: () => writes,
    note() {
      writes += 1;
    },
  };
}

/**
 * Gives the same answer for a second to whoever asks for the same address with the same credential
 * (docs/decisions.md 40), if its route says that it lasts. A write through this process ends that at once.
 */
export function oneSecond({ memory, writes }: { memory: Memory; writes: Pick<Writes, 'count'> }) {
  const kept = memory.area<{ body: Uint8Array<ArrayBuffer>; writes: number }>({ ttlMs: keptMs, max: maxKept });
  return createMiddleware<AppEnv>(async (c, next) => {
    const before = writes.count();
    const key = `${c.req.url}\n${c.req.header('authorization')}`;
    const known = kept.get(key);
    if (known?.writes === before) {
      // With all headers at once; to add them to a response takes as long as all the rest.
      c.set('hasAllHeaders', true);
      const headers = { ...securityHeaders, 'content-type': 'application/json', 'x-request-id': c.get('requestId') };
      return new Response(known.body, { headers });
    }
    await next();
    const body = c.get('lasting');
    // What was begun before a write may not show it.
    if (body !== undefined && writes.count() === before) kept.set(key, { body: encoder.encode(body), writes: before });
    return undefined;
  });
}

/** For every other request: whatever it has changed, no earlier answer is given again. */
export function noteWrites(writes: Pick<Writes, 'note'>) {
  return createMiddleware<AppEnv>((c, next) => (c.req.method === 'GET' ? next() : next().finally(writes.note)));
}
