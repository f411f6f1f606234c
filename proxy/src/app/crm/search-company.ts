import type { OrgId } from '@deskside/shared/orgid';
import type { Context, WithCrm } from '#app/context.ts';
import { type Lookup, lookupCompany } from './lookup-company.ts';

export type SearchNeeds = WithCrm<Pick<Context, 'crmTimeoutMs'>>;

export interface SearchHow {
  /** Ask the CRM even if there is a fresh answer. */
  refresh: boolean;
  /** Whether an agent is waiting on screen (`click`), a workflow asks (`open`), or nobody waits (`backfill`). */
  lane: 'click' | 'open' | 'backfill';
}

/**
 * Looks up the companies of one org id for whoever writes or decides by them: by both fields of the CRM, and waiting as
 * long as the CRM may take. Never throws for the CRM.
 */
export function searchCompany({ crm, crmTimeoutMs }: SearchNeeds, orgId: OrgId, how: SearchHow): Promise<Lookup> {
  return lookupCompany(crm, { ...how, orgId, by: 'platform_orgid_then_company_id', deadlineMs: crmTimeoutMs });
}
