import type { CrmCompany, CrmUser } from '#store/profile-cache.ts';

export const owner: CrmUser = {
  id: '338',
  active: true,
  email: 'an@crm.example',
  name: 'Nguyễn An',
  userType: 'employee',
};

/** A company with this org id, apart from the given values. */
export function company(
  orgId: string,
  change: Partial<CrmCompany> = {},
  fields: Partial<CrmCompany['fields']> = {},
): CrmCompany {
  return {
    fields: {
      bitrix_id: `6${orgId.slice(-4)}`,
      company_id: orgId,
      company_name: `Shop ${orgId}`,
      title_full: `Shop ${orgId} - ${orgId}`,
      url: null,
      date_create: null,
      date_modify: null,
      assigned_by_id: owner.id,
      address_region: null,
      address_country: null,
      verified_status: null,
      company_stage: null,
      freshsales_id: null,
      owner_name: null,
      owner_email: null,
      owner_phone: null,
      company_phone: null,
      company_email: null,
      membership: null,
      shop_created_date: null,
      first_shopplan_date: null,
      current_shopplan: 'Grow 2024',
      current_shopplan_date: null,
      shopplan_expiry: null,
      current_hsi_segment: null,
      current_hsi_detail: null,
      last_hsi_segment: null,
      last_hsi_detail: null,
      customer_segment: null,
      customer_segment_code: null,
      ...fields,
    },
    planExpiresAt: null,
    modifiedAt: null,
    emails: [],
    contacts: [],
    matchedFields: ['UF_CRM_COMPANY_ID', 'UF_CRM_PLATFORM_ORG_ID'],
    ...change,
  };
}
