import type { LegacyCustomer } from '@deskside/shared/enrichment';
import type { HelpdeskCustomer } from '@deskside/shared/profile';

/**
 * A customer with the keys that the older panel reads, beside today's (docs/api.md#legacy-profile). What only that
 * panel's own scripts kept on a customer is null: Deskside does not write it.
 */
export function legacyCustomer(record: HelpdeskCustomer): LegacyCustomer {
  return {
    ...record,
    haravan_orgid: record.custom_platform_orgid,
    haravan_company_id: null,
    myharavan: record.custom_myplatform,
    customer_segment: record.custom_customer_segment,
    first_paid_date: null,
    shopplan_name: record.custom_shopplan_name,
    expired_date: null,
    hsi_segment: null,
    bitrix_company_id: record.custom_crm_company_id,
    bitrix_company_url: record.custom_crm_company_url,
    bitrix_sync_status: record.custom_crm_sync_status,
    bitrix_last_synced_at: record.custom_crm_last_synced_at,
  };
}
