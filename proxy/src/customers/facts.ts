import type { OrgId } from '@deskside/shared/orgid';
import type { Company } from '@deskside/shared/profile';
import type { Lookup } from '#crm/lookup.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import type { CustomerFacts, RoutingFields } from '#helpdesk/fields.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import type { CompanyIds } from '#trust/companies.ts';

/** A company found in the CRM, and when it was asked (epoch milliseconds). */
export interface Match {
  orgId: OrgId;
  company: CrmCompany;
  /** Ids of the other companies that the CRM has for the org id. */
  others: string[];
  checkedAt: number;
  /** The domain below the platform that intake found for the company's shop; null: it goes by the org id. */
  shopDomain: string | null;
}

/** The company that a look-up found: of several the first; null for none. */
export function matchOf(
  { value: orgId, companies: [company, ...others], checkedAt }: Lookup,
  shopDomain: string | null = null,
): Match | null {
  if (company === undefined || checkedAt === null) return null;
  return { orgId, company, others: others.map(({ fields }) => fields.bitrix_id), checkedAt, shopDomain };
}

/** The ids of the company that was found. */
export function targetOf({ orgId, company }: Pick<Match, 'orgId' | 'company'>): CompanyIds & { crmCompanyId: string } {
  return { orgId, crmCompanyId: company.fields.bitrix_id };
}

type Fields = Pick<Company, 'bitrix_id' | 'url' | 'customer_segment' | 'customer_segment_code' | 'current_shopplan'>;

/**
 * What the CRM says about a customer, as far as it is written to the helpdesk (decision 18: what is written). Values that the
 * CRM does not have are absent, so that they never blank a field; so is a segment whose code has no name. The confidence is
 * fixed for a match by org id (decision 7: who vouches); how far to trust it is a matter of the trust level.
 */
export function companyFacts({ fields, modifiedAt }: { fields: Fields; modifiedAt: number | null }): CustomerFacts {
  const { bitrix_id, url, customer_segment, customer_segment_code, current_shopplan } = fields;
  return {
    crmCompanyId: bitrix_id,
    ...(url !== null && { crmCompanyUrl: url }),
    matchConfidence: 95,
    ...(customer_segment !== null && customer_segment !== customer_segment_code && { segment: customer_segment }),
    ...(current_shopplan !== null && { shopPlan: current_shopplan }),
    ...(modifiedAt !== null && { companyModifiedAt: modifiedAt }),
  };
}

/**
 * What the CRM says about the company that a customer already carries: `same` if its last change there is the one stored,
 * `older` if a later check has been written meanwhile. Compared to the second, which is what both sides store. `newer` if
 * either is unknown, or if the customer carries another company.
 */
export function compareVersions(
  record: Pick<CustomerRecord, 'crmCompanyId' | 'companyModifiedAt'>,
  company: Pick<CustomerFacts, 'crmCompanyId' | 'companyModifiedAt'>,
): 'same' | 'older' | 'newer' {
  if (record.crmCompanyId !== company.crmCompanyId) return 'newer';
  if (record.companyModifiedAt === null || company.companyModifiedAt === undefined) return 'newer';
  const ahead = seconds(company.companyModifiedAt) - seconds(record.companyModifiedAt);
  if (ahead > 0) return 'newer';
  return ahead === 0 ? 'same' : 'older';
}

/** Whether a check is later than the one on the record, to the second. */
export function isLaterCheck(checkedAt: number, recordedAt: number | null): boolean {
  return recordedAt === null || seconds(checkedAt) > seconds(recordedAt);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** When the CRM was asked, and that it had nothing, for the ticket's own fields (docs/data.md#hd-ticket). */
export function checkFields(looked: Lookup | null): RoutingFields {
  if (looked === null || looked.status === 'error' || looked.checkedAt === null) return {};
  return {
    crmLastCheckedAt: looked.checkedAt,
    crmNotFoundAt: looked.outcome === 'not_found' ? looked.checkedAt : null,
  };
}

const mark = 'CRM error: ';

/** What a ticket shows of a CRM that failed (decision 21: team and status). */
export function crmFailure(code: string | null) {
  return { status: 'API Error', error: `${mark}${code ?? 'bad_answer'}` } as const;
}

/** Whether the error on a ticket is such a failure. */
export function isCrmFailure(error: string | null): boolean {
  return error?.startsWith(mark) ?? false;
}
