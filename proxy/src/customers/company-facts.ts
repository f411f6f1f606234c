import type { Company } from '@deskside/shared/profile';

/**
 * What the CRM says about a customer, as far as it is written to the helpdesk (docs/decisions.md 15). Values that the
 * CRM does not have are absent, so that they never blank a field; so is a segment whose code has no name.
 */
export interface CompanyFacts {
  crmCompanyId: string;
  crmCompanyUrl?: string;
  /** Fixed for a match by org id (docs/decisions.md 9); how far to trust it is a matter of the trust level. */
  matchConfidence: 95;
  segment?: string;
  shopPlan?: string;
  /** Epoch milliseconds. */
  companyModifiedAt?: number;
}

type Fields = Pick<Company, 'bitrix_id' | 'url' | 'customer_segment' | 'customer_segment_code' | 'current_shopplan'>;

export function companyFacts({ fields, modifiedAt }: { fields: Fields; modifiedAt: number | null }): CompanyFacts {
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
  record: { crmCompanyId: string | null; companyModifiedAt: number | null },
  company: { crmCompanyId: string; companyModifiedAt?: number },
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
