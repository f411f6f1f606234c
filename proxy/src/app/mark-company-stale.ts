import type { Clock } from '../ports/clock.ts';
import type { ProfileCache } from '../ports/profile-cache.ts';

/** A change that the CRM announces. `companyId` is the CRM's own id; null where the event names none. */
export interface CompanyEvent {
  /** As the CRM names it, in capital letters, such as `ONCRMCOMPANYUPDATE`. */
  event: string;
  companyId: string | null;
}

/**
 * Takes note of a change in the CRM (facts/bitrix24.md 7.1). What is kept of the company is marked old; a company that is
 * new, or that nothing is kept of, may be what an org id was missing, so "there is no such company" is forgotten. Nothing
 * is asked, and an event that comes twice does no harm: events only shorten how long an answer counts.
 */
export type MarkCompanyStale = (event: CompanyEvent) => Promise<void>;

export function createMarkCompanyStale(deps: {
  cache: Pick<ProfileCache, 'markOutdated' | 'deleteNegative'>;
  portal: string;
  clock: Clock;
  /** The definitions of the CRM's fields have changed. */
  onFieldsChanged: () => void;
}): MarkCompanyStale {
  const { cache, portal, clock, onFieldsChanged } = deps;
  return async ({ event, companyId }) => {
    if (event.startsWith('ONCRMCOMPANYUSERFIELD')) onFieldsChanged();
    else if (event === 'ONCRMCOMPANYADD') await cache.deleteNegative(portal);
    else if ((event === 'ONCRMCOMPANYUPDATE' || event === 'ONCRMCOMPANYDELETE') && companyId !== null) {
      const marked = await cache.markOutdated(portal, companyId, clock());
      if (marked.length === 0) await cache.deleteNegative(portal);
    }
  };
}
