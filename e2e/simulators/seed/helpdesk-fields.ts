import type { HelpdeskSeed } from './types.ts';

type Field = HelpdeskSeed['customFields'][string][number];

const field = (fieldname: string, fieldtype: string, label: string, options?: string): Field => ({
  fieldname,
  fieldtype,
  label,
  ...(options !== undefined && { options }),
});

/**
 * The specification's custom fields (docs/data.md), org ids as Data (docs/decisions.md 5), and the record of platform
 * accounts, a DocType of the site's own (docs/data.md#account-links).
 */
export const customFields: HelpdeskSeed['customFields'] = {
  'HD Ticket': [
    field('custom_orgid', 'Data', 'Org ID'),
    field('custom_platform_profile_orgid', 'Data', 'Profile Org ID'),
    field('custom_org_id', 'Data', 'Org ID (old)'),
    field('custom_store_url', 'Data', 'Link Web / MyPlatform'),
    field('custom_myplatform_domain', 'Data', 'MyPlatform Domain'),
    field('custom_customer_segment', 'Select', 'Customer Segment', '\nSME\nMedium'),
    field('custom_platform_profile_status', 'Data', 'Profile Status'),
    field('custom_platform_profile_error', 'Small Text', 'Profile Error'),
    field('custom_platform_profile_checked_at', 'Datetime', 'Profile Checked At'),
    field('custom_platform_service_plan', 'Data', 'Gói dịch vụ'),
    field('custom_shopplan', 'Data', 'Shopplan'),
    field('custom_platform_routing_reason', 'Small Text', 'Routing Reason'),
    field('custom_responsible', 'Data', 'Người phụ trách'),
    field('custom_crm_last_checked_at', 'Datetime', 'CRM Last Checked At'),
    field('custom_crm_not_found_at', 'Datetime', 'CRM Not Found At'),
  ],
  'HD Customer': [
    field('custom_platform_orgid', 'Data', 'Platform Org ID'),
    field('custom_myplatform', 'Data', 'MyPlatform'),
    field('custom_crm_company_id', 'Data', 'CRM Company ID'),
    field('custom_crm_company_url', 'Data', 'CRM Company URL'),
    field('custom_crm_match_confidence', 'Percent', 'CRM Match Confidence'),
    field('custom_crm_sync_status', 'Data', 'CRM Sync Status'),
    field('custom_crm_last_synced_at', 'Datetime', 'CRM Last Synced At'),
    field('custom_crm_last_checked_at', 'Datetime', 'CRM Last Checked At'),
    field('custom_crm_company_modified_at', 'Datetime', 'CRM Company Modified At'),
    field('custom_crm_not_found_at', 'Datetime', 'CRM Not Found At'),
    field('custom_customer_segment', 'Data', 'Customer Segment'),
    field('custom_shopplan_name', 'Data', 'Shopplan Name'),
  ],
  'Platform Account Link': [
    field('hd_customer', 'Link', 'HD Customer', 'HD Customer'),
    field('user', 'Link', 'User', 'User'),
    field('email', 'Data', 'Email'),
    field('platform_userid', 'Data', 'Platform User ID'),
    field('platform_orgid', 'Data', 'Platform Org ID'),
    field('platform_orgname', 'Data', 'Platform Org Name'),
    field('last_login', 'Datetime', 'Last Login'),
  ],
};

/** What says which company a customer is: out of portal customers' reach (docs/decisions.md 19). */
export const protectedFields = {
  'HD Customer': ['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_url'],
} as const;
