import type { MetaFailure } from '@deskside/shared/routing';
import type { GuardedFailure, GuardedFetch, GuardedResponse } from './guarded-fetch.ts';
import { publicUrl } from './guarded-fetch.ts';
import type { Memory } from '#runtime/memory.ts';
import { parseMeta } from './parse-meta.ts';
import type { RememberedMeta, StoreMeta, StoreMetaAnswer } from './store-meta-port.ts';

type Nothing = Pick<MetaFailure, 'why'> & { kind: 'none' | 'failed' };

/** What the guard's failures mean for intake: `failed` may tell something later, `none` will not. */
const meanings: Record<GuardedFailure['why'], Nothing> = {
  blocked: { kind: 'none', why: 'blocked' },
  no_such_host: { kind: 'none', why: 'not_found' },
  redirected: { kind: 'none', why: 'redirected' },
  too_large: { kind: 'none', why: 'too_large' },
  unreadable: { kind: 'none', why: 'not_json' },
  timeout: { kind: 'failed', why: 'timeout' },
  unreachable: { kind: 'failed', why: 'unreachable' },
  cut: { kind: 'failed', why: 'unreachable' },
};

/** What a shop says about itself seldom changes; an address that failed is left alone until the ticket's next try. */
const forMs = { told: 5 * 60_000, failed: 50_000 };

/**
 * Reads meta.json through the egress guard. A successful answer names the address at the end of its redirects, the
 * others the one that was requested. A document with domains but no org id counts as found, too.
 */
export async function readMeta(fetch: GuardedFetch, host: string, signal: AbortSignal): Promise<StoreMetaAnswer> {
  signal.throwIfAborted();
  const url = metaUrl(host);
  if (url === null) return { kind: 'none', address: shown(host), why: 'blocked' };
  const answer = await fetch(url.href, signal);
  const meaning = answer.kind === 'answered' ? understand(answer) : meanings[answer.why];
  return { address: url.href, ...meaning };
}

/** Asks a host once for all tickets that name it, so that nobody can make us ask someone else's over and over. */
export function rememberMeta(storeMeta: StoreMeta, memory: Memory): RememberedMeta {
  const told = memory.area<StoreMetaAnswer>({ ttlMs: forMs.told, max: 5_000 });
  const failed = memory.area<StoreMetaAnswer>({ ttlMs: forMs.failed, max: 5_000 });
  const known = (host: string) => told.get(host) ?? failed.get(host);
  return {
    known,
    async read(host, signal) {
      const lately = known(host);
      if (lately) return lately;
      const answer = await storeMeta.read(host, signal);
      (answer.kind === 'failed' ? failed : told).set(host, answer);
      return answer;
    },
  };
}

function understand(response: GuardedResponse): StoreMetaAnswer | Nothing {
  const { status, contentType, text, address } = response;
  if (status === 429 || status >= 500) return { kind: 'failed', why: 'server_error' };
  if (status < 200 || status >= 300) return { kind: 'none', why: 'not_found' };
  // Shops send JSON under various content types. A page that happens to be JSON is still a page.
  const meta = /^\s*text\/html\b/i.test(contentType) ? null : parseMeta(text);
  if (meta === null) return { kind: 'none', why: 'not_json' };
  if (meta.orgId === null && meta.domains.length === 0) return { kind: 'none', why: 'no_org_id' };
  return { kind: 'found', address, ...meta };
}

/** Null if the URL parser would drop or reinterpret something, and so read another host than the text shows. */
function metaUrl(host: string): URL | null {
  if (host === '' || /[\p{Cc}\s/\\?#@:%[\]]/u.test(host)) return null;
  return publicUrl(`https://${host}/meta.json`);
}

/** How to show an address that is not a host name: without user info, encoded, cut to the length of a host name. */
function shown(host: string): string {
  const name = host.slice(host.lastIndexOf('@') + 1).slice(0, 253);
  return `https://${encodeURIComponent(name.toWellFormed())}/meta.json`;
}
