import type { OrgId } from '@deskside/shared/orgid';
import type { CompanyEvent } from '#ports/crm/crm.ts';
import type { ProfileCache } from '#ports/profile/profile-cache.ts';
import type { CrmLayers } from './crm-layers.ts';

type Needs = Pick<CrmLayers, 'portal' | 'clock' | 'forgetSegments'> & {
  cache: Pick<ProfileCache, 'markOutdated' | 'deleteNegative'>;
  /** Companies of these org ids have changed. */
  onChanged: (orgIds: readonly OrgId[]) => Promise<void>;
};

/**
 * Handles a change in the CRM (docs/crm.md#events). Cached entries of the company are marked as outdated. A company
 * that is new, or not cached, may be the one that an org id was missing, so every "no such company" is dropped. Makes
 * no requests, and is safe to repeat: events only shorten how long an answer counts.
 */
export async function markCompanyStale(
  { cache, portal, clock, forgetSegments, onChanged }: Needs,
  { kind, companyId }: CompanyEvent,
): Promise<void> {
  if (kind === 'fields_changed') forgetSegments();
  else if (kind === 'added') await cache.deleteNegative(portal);
  else if (companyId !== null) {
    const marked = await cache.markOutdated(portal, companyId, clock());
    if (marked.length === 0) await cache.deleteNegative(portal);
    else await onChanged(marked.map(({ orgId }) => orgId));
  }
}

export type MarkCompanyStale = (event: CompanyEvent) => Promise<void>;
