import type { OrgId } from '@deskside/shared/orgid';
import { company, fakeCrm, fakeLayers } from '#app/testing/fakes.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { Clock } from '#ports/runtime/clock.ts';

export const medium = '1000069001' as OrgId;
export const growing = '200000376001' as OrgId;
/** An address that the CRM has for it. */
export const growingOwner = 'chu@shop.example';
export const small = '1900000001' as OrgId;

/** When the CRM last changed each of them. */
const modifiedAt = Date.UTC(2026, 4, 5, 18, 40, 10);

/** What a customer holds of a company of which the CRM has nothing new. */
export const upToDate = { crmCompanyId: company(medium).fields.bitrix_id, companyModifiedAt: modifiedAt };

const companies: Record<string, CrmCompany> = {
  [medium]: company(
    medium,
    { modifiedAt },
    { customer_segment: 'Medium', current_shopplan: 'OMNI SCALE 2025 (1 năm)' },
  ),
  [growing]: company(
    growing,
    { modifiedAt, emails: [growingOwner] },
    { customer_segment: 'Medium', current_shopplan: 'Grow 2024' },
  ),
  [small]: company(small, { modifiedAt }, { customer_segment: 'SME', current_shopplan: 'STANDARD' }),
};

/** What a test says of the CRM, and what it was asked. */
interface CrmWorld {
  crmDown: boolean;
  /** The org ids that the CRM was asked for. */
  asked: OrgId[];
  /** Runs, and is awaited, while the CRM is being asked for an org id. */
  whileAsking: (orgId: OrgId) => Promise<void> | void;
}

/** A CRM with three companies that can be made to fail, behind its layers. It is asked every time. */
export function pipelineCrm(world: CrmWorld, clock: Clock) {
  const crm = fakeCrm(companies);
  const { answer, findCompanies } = crm;
  crm.answer = (orgId) => (world.crmDown ? { kind: 'failed', code: 'timeout' } : answer(orgId));
  crm.findCompanies = async (orgIds, ...how) => {
    for (const orgId of orgIds) {
      world.asked.push(orgId);
      await world.whileAsking(orgId);
    }
    return findCompanies(orgIds, ...how);
  };
  return fakeLayers({ crm, clock, ttlMinutes: 0 });
}
