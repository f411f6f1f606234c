import { createHash } from 'node:crypto';

/**
 * What Deskside wants to find in the helpdesk: `provision` creates it, `doctor` compares with it. Field types follow
 * facts/domain.md 1.14, org ids are Data (design.md, decision 6).
 */

export type FieldedDoctype = 'HD Ticket' | 'HD Customer';

export interface WantedField {
  fieldname: string;
  label: string;
  fieldtype: string;
  /** Choices of a Select, one a line. */
  options?: string;
  /** Types that an existing field may have as well. A Select must offer `values`. */
  suits: readonly string[];
  /** What the service writes, where that is a closed list. */
  values?: readonly string[];
  /** Only the service writes it: read-only in the form, and what `--protect` puts at level 1 (decision 19). */
  serviceOnly: boolean;
}

const texts = ['Data', 'Small Text', 'Text', 'Long Text', 'Select'];
const data = { fieldtype: 'Data', suits: texts };
const smallText = { fieldtype: 'Small Text', suits: texts };
const datetime = { fieldtype: 'Datetime', suits: ['Datetime'] };

const ours = (fieldname: string, label: string, kind: Pick<WantedField, 'fieldtype' | 'suits' | 'values'>) => ({
  fieldname,
  label,
  ...kind,
  serviceOnly: true,
});

/** Custom fields of the specification (spec.md, "Resources and their fields"), in the order of the form. */
export const wantedFields: Record<FieldedDoctype, readonly WantedField[]> = {
  'HD Ticket': [
    // These two are read as well as written: agents and integrations may fill them in.
    { fieldname: 'custom_orgid', label: 'Org ID', ...data, serviceOnly: false },
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
      values: ['Complete', 'Missing OrgID', 'Skipped', 'API Error'],
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

/** The standard field after which the custom ones stand in the form. */
export const firstAfter: Record<FieldedDoctype, string> = { 'HD Ticket': 'customer', 'HD Customer': 'domain' };

/** Roles that need level 1 on HD Ticket once fields are protected; `write` for those that the service account has. */
export const levelRoles = [
  { role: 'Agent', rights: ['read', 'write'] },
  { role: 'Agent Manager', rights: ['read', 'write'] },
  { role: 'System Manager', rights: ['read'] },
] as const;

/** The DocType of CRM snapshots (spec.md, "HD Customer Data"). Agents may read it, the service account writes it. */
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

/** Without these a snapshot cannot be told from another, and none is kept. */
export const customerDataKey = ['source', 'entity_type', 'external_id'] as const;

export const webhookName = 'Deskside: new ticket';
const afterInsertPath = '/webhooks/helpdesk/ticket/after-insert';

/**
 * The signed webhook. Its body holds only texts: a date or a Decimal among the values makes the helpdesk send nothing
 * at all (facts/frappe.md 6.3). The secret is not part of this.
 *
 * @param publicUrl origin under which the helpdesk reaches the proxy
 */
export const wantedWebhook = (publicUrl: string) =>
  ({
    webhook_doctype: 'HD Ticket',
    webhook_docevent: 'after_insert',
    enabled: 1,
    condition: '',
    request_url: `${publicUrl}${afterInsertPath}`,
    is_dynamic_url: 0,
    timeout: 5,
    request_method: 'POST',
    request_structure: 'JSON',
    enable_security: 1,
    webhook_json:
      '{"event":"after_insert","name":"{{ doc.name }}","modified":"{{ doc.modified }}","creation":"{{ doc.creation }}"}',
  }) as const;

export const browsers = ['chrome', 'edge', 'firefox'] as const;
export type Browser = (typeof browsers)[number];

/** Ids of the extension as this repository builds it: extension/build/chrome-key.ts and manifest.ts. */
export const builtExtensionIds: Record<Browser, string> = {
  chrome: 'jhjoljfecgnnofpkppemifcbcoihkgho',
  edge: 'jhjoljfecgnnofpkppemifcbcoihkgho',
  firefox: '{ac7e55df-2349-4967-bdd9-71e95296c59e}',
};

/** What `identity.getRedirectURL('cb')` gives in that browser; Firefox puts the SHA-1 of the id in front. */
export function redirectUriOf(browser: Browser, extensionId: string): string {
  if (browser !== 'firefox') return `https://${extensionId}.chromiumapp.org/cb`;
  return `https://${createHash('sha1').update(extensionId).digest('hex')}.extensions.allizom.org/cb`;
}

/** Portal customers are refused at sign-in by this list (facts/live.md section 3). */
export const oauthRoles = ['Agent', 'Agent Manager'] as const;

/** A public client for one browser: PKCE without a secret, and no consent page (facts/frappe.md 3.3). */
export function wantedOAuthClient(browser: Browser, extensionId: string) {
  const redirectUri = redirectUriOf(browser, extensionId);
  return {
    app_name: `Deskside (${browser[0]?.toUpperCase()}${browser.slice(1)})`,
    skip_authorization: 1,
    scopes: 'all openid',
    redirect_uris: redirectUri,
    default_redirect_uri: redirectUri,
    grant_type: 'Authorization Code',
    response_type: 'Code',
  };
}

/** Newer Frappe asks how a client authenticates itself; a public one does not. Sent where the field exists. */
export const publicClient = { token_endpoint_auth_method: 'None' } as const;
