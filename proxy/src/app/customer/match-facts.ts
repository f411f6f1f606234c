import type { OrgId } from '@deskside/shared/orgid';
import { companyFacts, isLaterCheck, isUnchanged } from '#domain/customer/company-facts.ts';
import type { CrmCompany } from '#ports/crm.ts';
import type { CustomerFacts, CustomerRecord, HelpdeskRecords } from '#ports/helpdesk-records.ts';

type Plan = Pick<HelpdeskRecords, 'planCustomer'>;

/** A company found in the CRM, and when it was asked (epoch milliseconds). */
export interface Match {
  orgId: OrgId;
  company: CrmCompany;
  checkedAt: number;
  /** Host below which the platform gives every org id a domain; null if unknown. */
  platformHost: string | null;
}

/**
 * What a match says about a customer, without timestamps. If the CRM has nothing new, only that it still matches: the
 * values already there, including a person's edits, are left alone (docs/decisions.md 15).
 */
export function matchFacts({ orgId, company, platformHost }: Match, record: CustomerRecord | null): CustomerFacts {
  const facts = companyFacts(company);
  const state = { syncStatus: 'matched', notFoundAt: null } as const;
  if (record?.orgId === orgId && isUnchanged(record, facts)) return state;
  const domain = platformHost === null ? {} : { myplatform: `${orgId}.${platformHost}` };
  return { platformOrgId: orgId, ...domain, ...facts, ...state };
}

/** Like `matchFacts`, with timestamps: of the check if it is a later one, of the sync if there is anything to sync. */
export function timedMatchFacts(records: Plan, match: Match, record: CustomerRecord | null): CustomerFacts {
  const facts = matchFacts(match, record);
  const syncs = facts.crmCompanyId !== undefined && records.planCustomer(record, facts).length > 0;
  return {
    ...facts,
    ...(syncs && { lastSyncedAt: match.checkedAt }),
    ...(isLaterCheck(match.checkedAt, record?.lastCheckedAt ?? null) && { lastCheckedAt: match.checkedAt }),
  };
}

/** What a check that found no company says about a customer. It blanks nothing. */
export function notFoundFacts(checkedAt: number, record: CustomerRecord | null): CustomerFacts {
  const later = isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
  return { syncStatus: 'not_found', ...(later && { lastCheckedAt: checkedAt, notFoundAt: checkedAt }) };
}
