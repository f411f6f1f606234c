import { customerFieldOf } from './customer-fields.ts';

/** DocTypes whose fields are discovered before they are read or written. */
export const doctypes = ['HD Ticket', 'HD Customer', 'Contact'] as const;
export type Doctype = (typeof doctypes)[number];

/** The ticket's fields that may hold its org id, by precedence (docs/decisions.md 5). */
export const orgIdFields = [
  { field: 'custom_platform_profile_orgid', kind: 'profile' },
  { field: 'custom_orgid', kind: 'current' },
  { field: 'custom_org_id', kind: 'older' },
] as const;

/** On some sites a field has an older name, and is used under that. */
export const olderNames: Readonly<Record<string, string>> = { custom_myplatform_domain: 'custom_my_platform_domain' };

/** Custom fields that the specification names (docs/data.md). A site may lack any of them. */
export const specificationFields = {
  'HD Customer': Object.values(customerFieldOf),
  'HD Ticket': [
    'custom_orgid',
    'custom_store_url',
    'custom_myplatform_domain',
    'custom_customer_segment',
    'custom_platform_profile_status',
    'custom_platform_profile_error',
    'custom_platform_profile_checked_at',
    'custom_platform_service_plan',
    'custom_shopplan',
    'custom_platform_routing_reason',
    'custom_responsible',
    'custom_crm_last_checked_at',
    'custom_crm_not_found_at',
  ],
} as const;
