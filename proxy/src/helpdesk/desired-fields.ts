// The fields and the DocType that Deskside expects in the helpdesk: `provision` makes them, `doctor` compares with them, and what is read and
// written goes by them. Types follow docs/data.md; org ids are Data (docs/decisions.md 5).

export type FieldedDoctype = 'HD Ticket' | 'HD Customer';

export interface DesiredField {
  fieldname: string;
  label: string;
  fieldtype: string;
  /** Options of a Select, one per line. */
  options?: string;
  /** Other types that an existing field may have. A Select must offer `values`. */
  suits: readonly string[];
  /** What the service writes, if that is a closed list. */
  values?: readonly string[];
  /** Name of the same field on older sites, where it is used instead. */
  olderName?: string;
  /** Only the service writes it: read-only in the form. */
  serviceOnly: boolean;
}

const texts = ['Data', 'Small Text', 'Text', 'Long Text', 'Select'];
const data = { fieldtype: 'Data', suits: texts };
const smallText = { fieldtype: 'Small Text', suits: texts };
const datetime = { fieldtype: 'Datetime', suits: ['Datetime'] };

const ours = (fieldname: string, label: string, kind: Pick<DesiredField, 'fieldtype' | 'suits' | 'values'>) => ({
  fieldname,
  label,
  ...kind,
  serviceOnly: true,
});

/** Custom fields of the specification (docs/data.md), in form order. */
export const desiredFields: Record<FieldedDoctype, readonly DesiredField[]> = {
  'HD Ticket': [
    // These four are read as well as written: senders, agents and integrations may fill them in.
    { fieldname: 'custom_orgid', label: 'Org ID', ...data, serviceOnly: false },
    // Not Data: an address of more than 140 characters would keep its ticket from being saved.
    { fieldname: 'custom_store_url', label: 'Store URL', ...smallText, serviceOnly: false },
    {
      fieldname: 'custom_myplatform_domain',
      label: 'MyPlatform Domain',
      ...data,
      olderName: 'custom_my_platform_domain',
      serviceOnly: false,
    },
    {
      fieldname: 'custom_customer_segment',
      label: 'Customer Segment',
      fieldtype: 'Select',
      options: '\nSME\nMedium',
      suits: texts,
      values: ['SME', 'Medium'],
      serviceOnly: false,
    },
    ours('custom_platform_profile_status', 'Profile Status', {
      ...data,
      values: ['Complete', 'API Error'],
    }),
    ours('custom_platform_profile_error', 'Profile Error', smallText),
    ours('custom_platform_profile_checked_at', 'Profile Checked At', datetime),
    ours('custom_platform_service_plan', 'Service Plan', data),
    ours('custom_shopplan', 'Shopplan', { ...data, values: ['SME', 'Medium Scale', 'Medium Grow'] }),
    ours('custom_platform_routing_reason', 'Routing Reason', smallText),
    ours('custom_responsible', 'Responsible', data),
    ours('custom_crm_last_checked_at', 'CRM Last Checked At', datetime),
    ours('custom_crm_not_found_at', 'CRM Not Found At', datetime),
  ],
  'HD Customer': [
    { fieldname: 'custom_platform_orgid', label: 'Platform Org ID', ...data, serviceOnly: false },
    { fieldname: 'custom_myplatform', label: 'MyPlatform', ...data, serviceOnly: false },
    { fieldname: 'custom_customer_segment', label: 'Customer Segment', ...data, serviceOnly: false },
    { fieldname: 'custom_shopplan_name', label: 'Shopplan Name', ...data, serviceOnly: false },
    ours('custom_crm_company_id', 'CRM Company ID', data),
    ours('custom_crm_company_url', 'CRM Company URL', data),
    ours('custom_crm_match_confidence', 'CRM Match Confidence', {
      fieldtype: 'Percent',
      suits: ['Percent', 'Int', 'Float', 'Data'],
    }),
    ours('custom_crm_sync_status', 'CRM Sync Status', { ...data, values: ['matched', 'not_found', 'error'] }),
    ours('custom_crm_last_synced_at', 'CRM Last Synced At', datetime),
    ours('custom_crm_last_checked_at', 'CRM Last Checked At', datetime),
    ours('custom_crm_company_modified_at', 'CRM Company Modified At', datetime),
    ours('custom_crm_not_found_at', 'CRM Not Found At', datetime),
  ],
};

/** A desired field as the site has it, possibly under its older name. */
export function foundAs<T>(fields: ReadonlyMap<string, T>, { fieldname, olderName }: DesiredField): T | undefined {
  return fields.get(fieldname) ?? (olderName === undefined ? undefined : fields.get(olderName));
}

/** The DocType of CRM snapshots (docs/data.md#hd-customer-data). Agents may read it; the service account writes it. */
export const customerData = {
  name: 'HD Customer Data',
  module: 'Helpdesk',
  custom: 1,
  autoname: 'hash',
  track_changes: 1,
  fields: [
    {
      fieldname: 'hd_customer',
      label: 'HD Customer',
      fieldtype: 'Link',
      options: 'HD Customer',
      reqd: 1,
      in_list_view: 1,
    },
    { fieldname: 'source', label: 'Source', fieldtype: 'Data', reqd: 1, in_list_view: 1 },
    { fieldname: 'entity_type', label: 'Entity Type', fieldtype: 'Data', reqd: 1 },
    { fieldname: 'external_id', label: 'External ID', fieldtype: 'Data', reqd: 1, in_list_view: 1, search_index: 1 },
    { fieldname: 'external_url', label: 'External URL', fieldtype: 'Small Text' },
    { fieldname: 'match_key', label: 'Match Key', fieldtype: 'Data' },
    { fieldname: 'confidence', label: 'Confidence', fieldtype: 'Percent' },
    { fieldname: 'last_synced_at', label: 'Last Synced At', fieldtype: 'Datetime' },
    { fieldname: 'summary_json', label: 'Summary JSON', fieldtype: 'JSON' },
  ],
  permissions: [
    { role: 'System Manager', read: 1, write: 1, create: 1, delete: 1 },
    { role: 'Agent Manager', read: 1, write: 1, create: 1 },
    { role: 'Agent', read: 1 },
  ],
} as const;

/** The fields that identify a snapshot: without them none are stored. How documents are named is up to the site. */
export const customerDataKey = ['source', 'entity_type', 'external_id'] as const;
