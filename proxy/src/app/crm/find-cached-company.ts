import type { OrgId } from '@deskside/shared/orgid';
import { isFresh, type Lifetimes } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { ProfileCache } from '#ports/profile/profile-cache.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/** The company of an org id as last reported by the CRM, if that is still fresh; null otherwise. Never asks the CRM. */
export type FindCachedCompany = (orgId: OrgId) => Promise<{ company: CrmCompany; checkedAt: number } | null>;

export function createFindCachedCompany(deps: {
  cache: Pick<ProfileCache, 'getCompanies'>;
  portal: string;
  lifetimes: Lifetimes;
  nameSegments: (companies: CrmCompany[]) => CrmCompany[];
  clock: Clock;
}): FindCachedCompany {
  return async (orgId) => {
    const entries = await deps.cache.getCompanies(deps.portal, 'platform_orgid_then_company_id', [orgId]);
    const entry = entries.get(orgId);
    if (!entry || entry.outdated || !isFresh(entry.checkedAt, deps.lifetimes.company, deps.clock())) return null;
    const [company] = deps.nameSegments(entry.companies);
    return company ? { company, checkedAt: entry.checkedAt } : null;
  };
}
