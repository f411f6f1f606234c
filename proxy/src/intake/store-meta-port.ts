import type { MetaFailure } from '@deskside/shared/routing';

/** What a shop's own meta.json says about it (docs/routing.md#metajson). Everything in it is the shop's claim. */
export type StoreMetaAnswer =
  | { kind: 'found'; address: string; orgId: string | null; domains: string[]; name: string | null }
  | { kind: 'none' | 'failed'; address: string; why: MetaFailure['why'] };

/**
 * Reads `https://<host>/meta.json` of a host named by a customer. Untrusted: only public addresses, https, the standard
 * port, at most 3 redirects, each checked again, with limits on time and size. Never throws for anything that the other
 * side does; rejects with the signal's reason.
 */
export interface StoreMeta {
  read(host: string, signal: AbortSignal): Promise<StoreMetaAnswer>;
}

/** One that asks each host once for a while. */
export interface RememberedMeta extends StoreMeta {
  /** What the host said lately; undefined if it has to be asked. */
  known(host: string): StoreMetaAnswer | undefined;
}
