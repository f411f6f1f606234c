import type { OrgId } from '@deskside/shared/orgid';
import { companyFacts, compareVersions, isLaterCheck } from '#domain/customer/company-facts.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { MendableFacts } from '#ports/customer/written-facts.ts';
import type { CustomerFacts, CustomerRecord, HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';

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
 * values already there, including a person's edits, are left alone. `own` is what this service itself wrote last, given
 * where somebody asks for it: then also what is blank, and what reads otherwise by now although nobody else has touched
 * it; and everything where the CRM has gone back to an older version since the last check (docs/decisions.md 15).
 */
export function matchFacts(
  helpdesk: Plan,
  { orgId, company, checkedAt, platformHost }: Match,
  record: CustomerRecord | null,
  own: MendableFacts | null,
): CustomerFacts {
  const facts = companyFacts(company);
  const state = { syncStatus: 'matched', notFoundAt: null } as const;
  const domain = platformHost === null ? {} : { myplatform: `${orgId}.${platformHost}` };
  const version = record?.orgId === orgId ? compareVersions(record, facts) : 'newer';
  const isBack = version === 'older' && own !== null && isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
  if (record === null || version === 'newer' || isBack) return { platformOrgId: orgId, ...domain, ...facts, ...state };
  if (own === null || version === 'older') return state;
  const { crmCompanyUrl, matchConfidence, segment, shopPlan } = facts;
  const mendable: MendableFacts = {
    ...domain,
    matchConfidence,
    ...(crmCompanyUrl !== undefined && { crmCompanyUrl }),
    ...(segment !== undefined && { segment }),
    ...(shopPlan !== undefined && { shopPlan }),
  };
  return { ...mended(helpdesk, record, mendable, own), ...state };
}

/** Those of the facts whose field is blank, or still holds what this service wrote last and reads otherwise now. */
function mended(helpdesk: Plan, record: CustomerRecord, facts: MendableFacts, own: MendableFacts): MendableFacts {
  const due = Object.entries(facts).filter(([key, value]) => {
    const [change] = helpdesk.planCustomer(record, { [key]: value });
    if (change === undefined) return false;
    if (change.from === null || change.from === '') return true;
    const written = own[key as keyof MendableFacts];
    return written !== undefined && helpdesk.planCustomer(record, { [key]: written }).length === 0;
  });
  return Object.fromEntries(due);
}

/** `matchFacts` with timestamps: of the check if it is a later one, of the sync if there is anything to sync. */
export function withTimes(
  helpdesk: Plan,
  facts: CustomerFacts,
  checkedAt: number,
  record: CustomerRecord | null,
): CustomerFacts {
  const { syncStatus: _, notFoundAt: __, ...ofCompany } = facts;
  const syncs = Object.keys(ofCompany).length > 0 && helpdesk.planCustomer(record, facts).length > 0;
  return {
    ...facts,
    ...(syncs && { lastSyncedAt: checkedAt }),
    ...(isLaterCheck(checkedAt, record?.lastCheckedAt ?? null) && { lastCheckedAt: checkedAt }),
  };
}

/** What a check that found no company says about a customer. It blanks nothing. */
export function notFoundFacts(checkedAt: number, record: CustomerRecord | null): CustomerFacts {
  const later = isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
  return { syncStatus: 'not_found', ...(later && { lastCheckedAt: checkedAt, notFoundAt: checkedAt }) };
}
