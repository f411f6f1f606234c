import type { Memory } from '../ports/memory.ts';
import type { StoreMeta, StoreMetaAnswer } from '../ports/store-meta.ts';

/** What a shop says of itself seldom changes; an address that failed is left alone until the next try of a ticket. */
const forMs = { told: 5 * 60_000, failed: 50_000 };

/** Asks the same host once for all tickets that name it, so that nobody can make us ask somebody else's over and over. */
export function rememberMeta(storeMeta: StoreMeta, memory: Memory): StoreMeta {
  const told = memory.area<StoreMetaAnswer>({ ttlMs: forMs.told, max: 5_000 });
  const failed = memory.area<StoreMetaAnswer>({ ttlMs: forMs.failed, max: 5_000 });
  return {
    async read(host, signal) {
      const known = told.get(host) ?? failed.get(host);
      if (known) return known;
      const answer = await storeMeta.read(host, signal);
      (answer.kind === 'failed' ? failed : told).set(host, answer);
      return answer;
    },
  };
}
