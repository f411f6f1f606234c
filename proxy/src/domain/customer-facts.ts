import type { Company } from '@deskside/shared/profile';

/**
 * What the CRM says of a customer, as far as it is written to the helpdesk (design.md, decision 15): what the CRM does
 * not have is absent, so that it never blanks a value. A segment whose code nobody has named is no segment.
 */
export interface CompanyFacts {
  crmCompanyId: string;
  crmCompanyUrl?: string;
  /** Fixed for a match by org id (spec.md, "Limits"); what it is worth says the trust level. */
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
 * Whether the CRM has nothing new about the company that a customer already carries: its DATE_MODIFY is the stored one,
 * or older, because somebody has written what a later check found. Instants are compared to the second, which is what
 * both sides keep. Unknown on either side: cannot tell.
 */
export function isUnchanged(
  record: { crmCompanyId: string | null; companyModifiedAt: number | null },
  company: { crmCompanyId: string; companyModifiedAt?: number },
): boolean {
  if (record.crmCompanyId !== company.crmCompanyId) return false;
  if (record.companyModifiedAt === null || company.companyModifiedAt === undefined) return false;
  return seconds(company.companyModifiedAt) <= seconds(record.companyModifiedAt);
}

/** Whether a check is later than the one that the record knows of, to the second. */
export function isLaterCheck(checkedAt: number, recordedAt: number | null): boolean {
  return recordedAt === null || seconds(checkedAt) > seconds(recordedAt);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
