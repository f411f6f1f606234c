import type { OrgId } from '@deskside/shared/orgid';
import type { CrmCompany } from '#store/profile-cache.ts';
import { company } from '#store/testing/sample-company.ts';
import { type FakeCrm, fakeCrm } from './fakes.ts';
import type { TestAnswer } from './test-answer.ts';

/** The companies that the CRM of a test has: one, and others made of it by change. */

export const medium = '1000069001' as OrgId;
export const growing = '200000376001' as OrgId;
export const small = '1900000001' as OrgId;

/** An address that the CRM has for the second one. */
export const growingOwner = 'chu@shop.example';

/** When the CRM last changed each of them. */
export const modifiedAt = Date.UTC(2026, 4, 5, 18, 40, 10);

/** The one company, apart from the given values. */
export function sampleCompany(change: Partial<CrmCompany> = {}, fields: Partial<CrmCompany['fields']> = {}) {
  return company(
    medium,
    { modifiedAt, ...change },
    {
      bitrix_id: '63001',
      url: 'https://crm.example/crm/company/details/63001/',
      customer_segment: 'Medium',
      customer_segment_code: '15092',
      ...fields,
    },
  );
}

/** What a customer holds of it while the CRM has nothing new. */
export const upToDate = { crmCompanyId: '63001', companyModifiedAt: modifiedAt };

/** By what another company differs from it. */
const otherThan = (orgId: OrgId, bitrix_id: string) => ({
  bitrix_id,
  company_id: orgId,
  company_name: `Shop ${orgId}`,
  title_full: `Shop ${orgId} - ${orgId}`,
});

/** A CRM with three companies. */
export function sampleCrm(): FakeCrm {
  return fakeCrm({
    [medium]: sampleCompany({}, { current_shopplan: 'OMNI SCALE 2025 (1 năm)' }),
    [growing]: sampleCompany({ emails: [growingOwner] }, otherThan(growing, '63002')),
    [small]: sampleCompany({}, { ...otherThan(small, '63003'), customer_segment: 'SME', current_shopplan: 'STANDARD' }),
  });
}

/** What the CRM says of an org id. */
export const matched = (first: CrmCompany, ...others: CrmCompany[]): TestAnswer => ({
  kind: 'found',
  companies: [first, ...others],
});
export const notFound: TestAnswer = { kind: 'empty' };
