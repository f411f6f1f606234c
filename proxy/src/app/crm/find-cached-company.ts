import type { OrgId } from '@deskside/shared/orgid';
import { isFresh } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { LookupDeps } from './lookup-company.ts';

type Needs = Pick<LookupDeps, 'portal' | 'lifetimes' | 'nameSegments' | 'clock'> & {
  cache: Pick<LookupDeps['cache'], 'getCompanies'>;
};

/** The company of an org id as last reported by the CRM, if that is still fresh; null otherwise. Never asks the CRM. */
export async function findCachedCompany(
  { cache, portal, lifetimes, nameSegments, clock }: Needs,
  orgId: OrgId,
): Promise<{ company: CrmCompany; checkedAt: number } | null> {
  const entries = await cache.getCompanies(portal, 'platform_orgid_then_company_id', [orgId]);
  const entry = entries.get(orgId);
  if (!entry || entry.outdated || !isFresh(entry.checkedAt, lifetimes.company, clock())) return null;
  const [company] = nameSegments(entry.companies);
  return company ? { company, checkedAt: entry.checkedAt } : null;
}
