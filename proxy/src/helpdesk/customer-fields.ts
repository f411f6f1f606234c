import { plain } from './field-values.ts';
import type { CustomerFacts } from './helpdesk-records.ts';
import type { DesiredFields } from './plan-write.ts';

/** The field of HD Customer that holds each fact (docs/data.md#hd-customer; docs/decisions.md 15). */
export const customerFieldOf = {
  platformOrgId: 'custom_platform_orgid',
  myplatform: 'custom_myplatform',
  crmCompanyId: 'custom_crm_company_id',
  crmCompanyUrl: 'custom_crm_company_url',
  matchConfidence: 'custom_crm_match_confidence',
  syncStatus: 'custom_crm_sync_status',
  segment: 'custom_customer_segment',
  shopPlan: 'custom_shopplan_name',
  companyModifiedAt: 'custom_crm_company_modified_at',
  lastSyncedAt: 'custom_crm_last_synced_at',
  lastCheckedAt: 'custom_crm_last_checked_at',
  notFoundAt: 'custom_crm_not_found_at',
} as const satisfies Record<keyof CustomerFacts, string>;

const instants: ReadonlySet<string> = new Set<keyof CustomerFacts>([
  'companyModifiedAt',
  'lastSyncedAt',
  'lastCheckedAt',
  'notFoundAt',
]);

/**
 * The facts by field. A blank text never blanks an existing value; an existing domain, which may be the shop's own, is
 * not replaced by the one derived from its org id.
 */
export function desiredOf(facts: CustomerFacts, stored: Readonly<Record<string, unknown>> | null): DesiredFields {
  return (Object.keys(customerFieldOf) as (keyof CustomerFacts)[]).flatMap((fact): DesiredFields => {
    const value = facts[fact];
    if (value === undefined || (typeof value === 'string' && plain(value) === '')) return [];
    if (fact === 'myplatform' && stored?.[customerFieldOf.myplatform]) return [];
    if (value === null) return [[customerFieldOf[fact], null]];
    const desired = instants.has(fact) ? { instant: Number(value) } : { text: String(value) };
    return [[customerFieldOf[fact], desired]];
  });
}
