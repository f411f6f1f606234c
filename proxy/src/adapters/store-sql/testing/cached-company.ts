import type { CrmCompany } from '#ports/crm/crm.ts';

/** A company as the CRM tells it, with characters that databases stumble over. */
export function cachedCompany(bitrixId: string, name = 'Cửa hàng O\'Brien "☕" \\ 1'): CrmCompany {
  const none = null;
  return {
    fields: {
      bitrix_id: bitrixId,
      company_id: '200000001',
      company_name: name,
      title_full: `${name} - 200000001`,
      url: none,
      date_create: '01/02/2020',
      date_modify: '20/11/2026',
      assigned_by_id: '7',
      address_region: none,
      address_country: none,
      verified_status: none,
      company_stage: none,
      freshsales_id: none,
      owner_name: none,
      owner_email: none,
      owner_phone: none,
      company_phone: none,
      company_email: none,
      membership: none,
      shop_created_date: none,
      first_shopplan_date: none,
      current_shopplan: 'Scale',
      current_shopplan_date: none,
      shopplan_expiry: '31/12/2026',
      current_hsi_segment: none,
      current_hsi_detail: none,
      last_hsi_segment: none,
      last_hsi_detail: none,
      customer_segment: 'Medium',
      customer_segment_code: none,
      metrics: [{ key: 'gmv', label: 'GMV', value: '1.000.000 ₫' }],
    },
    planExpiresAt: Date.UTC(2026, 10, 20, 12),
    modifiedAt: null,
    emails: ['owner@shop.example'],
    contacts: [{ id: '1', name: 'Lan', post: null, emails: ['lan@shop.example'], phones: ['0901'], url: null }],
    matchedField: 'UF_CRM_COMPANY_ID',
    payload: '{"TITLE":"Cửa hàng"}',
  };
}
