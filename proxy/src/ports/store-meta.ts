import type { MetaFailure } from '@deskside/shared/routing';

/** What a shop's own meta.json says of it (facts/domain.md section 3). Everything in it is the shop's claim. */
export type StoreMetaAnswer =
  | { kind: 'found'; address: string; orgId: string | null; domains: string[]; name: string | null }
  | { kind: 'none' | 'failed'; address: string; why: MetaFailure['why'] };

/**
 * Reads `https://<host>/meta.json` of a host that a customer named. Hostile by assumption: only public addresses, https,
 * the standard port, at most 3 redirects each checked again, limited in time and size. Never throws for anything that
 * the other side did; rejects with the signal's reason.
 */
export interface StoreMeta {
  read(host: string, signal: AbortSignal): Promise<StoreMetaAnswer>;
}
