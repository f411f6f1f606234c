import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import { lookupCompany } from '#crm/lookup.ts';
import { findOwner } from '#crm/people.ts';

/** A company as far as a rejection names it. Null is whatever the CRM does not have, or could not tell in time. */
export interface DescribedCompany {
  orgId: OrgId;
  crmCompanyId: string | null;
  name: string | null;
  /** Of the active account owner. */
  ownerEmail: string | null;
}

/** It has just been on screen, so that the cache has it; waiting longer is worth nothing. */
const deadlineMs = 2_000;

/** Describes the company that an agent has on screen. Never fails: the CRM may be down when a mistake is put right. */
export async function describeCompany(
  { crm, crmEnabled }: Context,
  orgId: OrgId,
  crmCompanyId: string | null,
): Promise<DescribedCompany> {
  if (!crmEnabled || crm === null) return { orgId, crmCompanyId, name: null, ownerEmail: null };
  const startedAt = crm.clock();
  const looked = await lookupCompany(crm, { orgId, refresh: false, acceptsStale: true, deadlineMs });
  const found =
    crmCompanyId === null
      ? looked.companies[0]
      : looked.companies.find(({ fields }) => fields.bitrix_id === crmCompanyId);
  if (found === undefined) return { orgId, crmCompanyId, name: null, ownerEmail: null };
  const { bitrix_id, company_name, assigned_by_id } = found.fields;
  const owner = await findOwner(crm, { id: assigned_by_id, refresh: false, startedAt, deadlineMs });
  const ownerEmail = owner?.status === 'active' ? owner.email : null;
  return { orgId, crmCompanyId: bitrix_id, name: company_name, ownerEmail };
}
