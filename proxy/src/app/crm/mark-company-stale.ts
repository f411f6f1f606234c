import type { OrgId } from '@deskside/shared/orgid';
import type { CompanyEvent } from '#ports/crm/crm.ts';
import type { ProfileCache } from '#ports/profile/profile-cache.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/**
 * Handles a change in the CRM (docs/crm.md#events). Cached entries of the company are marked as outdated. A company
 * that is new, or not cached, may be the one that an org id was missing, so every "no such company" is dropped. Makes
 * no requests, and is safe to repeat: events only shorten how long an answer counts.
 */
export type MarkCompanyStale = (event: CompanyEvent) => Promise<void>;

export function createMarkCompanyStale(deps: {
  cache: Pick<ProfileCache, 'markOutdated' | 'deleteNegative'>;
  portal: string;
  clock: Clock;
  /** The definitions of the CRM's fields have changed. */
  onFieldsChanged: () => void;
  /** Companies of these org ids have changed. */
  onChanged: (orgIds: readonly OrgId[]) => Promise<void>;
}): MarkCompanyStale {
  const { cache, portal, clock, onFieldsChanged, onChanged } = deps;
  return async ({ kind, companyId }) => {
    if (kind === 'fields_changed') onFieldsChanged();
    else if (kind === 'added') await cache.deleteNegative(portal);
    else if (companyId !== null) {
      const marked = await cache.markOutdated(portal, companyId, clock());
      if (marked.length === 0) await cache.deleteNegative(portal);
      else await onChanged(marked.map(({ orgId }) => orgId));
    }
  };
}
