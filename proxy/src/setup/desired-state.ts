import { createHash } from 'node:crypto';
import {
  type AdminDoctype,
  type AdminDocument,
  type AdminField,
  column,
  type HelpdeskAdmin,
  isOn,
  textOf,
} from '#helpdesk/admin.ts';
import { websiteRolesThatSet } from '#helpdesk/permissions.ts';
import type { Secret } from '#runtime/secret.ts';

// What Deskside expects in the helpdesk, and how a site differs from it: `provision` mends that, `doctor` says it. Field types
// follow docs/data.md; org ids are Data (docs/decisions.md 5).

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

/** Fields of HD Customer that identify its company: setting one of them is enough to pass for that company. */
const identifyingFields = ['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_url'] as const;

/** The standard field after which the custom ones appear in the form. */
export const firstAfter: Record<FieldedDoctype, string> = { 'HD Ticket': 'customer', 'HD Customer': 'domain' };

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

export const webhookName = 'Deskside: new ticket';
const afterInsertPath = '/webhooks/helpdesk/ticket/after-insert';

/** Who made the ticket for whom, and what came with it. Org ids by precedence (docs/decisions.md 5). */
const insertedFields = ['owner', 'modified_by', 'raised_by', 'contact', 'customer', 'agent_group', 'ticket_split_from'];
const orgIdFields = ['custom_platform_profile_orgid', 'custom_orgid', 'custom_org_id'];

/** Whatever a sender typed stays one JSON text, and a field that the site lacks is null. */
const asJson = (fields: readonly string[]) => fields.map((field) => `"${field}":{{ doc.${field} | tojson }}`).join(',');

/** The ticket as its insert left it (docs/helpdesk.md#webhooks). */
const afterInsertBody =
  `{"event":"after_insert","name":{{ doc.name | string | tojson }},` +
  `"creation":{{ doc.creation | string | tojson }},"modified":{{ doc.modified | string | tojson }},` +
  `${asJson(insertedFields)},"org_ids":{${asJson(orgIdFields)}}}`;

/**
 * The signed webhook. Its body contains no dates and no Decimals: with one among the values, the helpdesk sends
 * nothing at all (docs/helpdesk.md#webhooks). The secret is not part of this.
 *
 * @param publicUrl origin at which the helpdesk reaches the proxy
 */
export const desiredWebhook = (publicUrl: string) =>
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
    webhook_json: afterInsertBody,
  }) as const;

export const browsers = ['chrome', 'edge', 'firefox'] as const;
export type Browser = (typeof browsers)[number];

/** Ids of the extension as built by this repository: extension/build/chrome-key.ts and manifest.ts. */
export const builtExtensionIds: Record<Browser, string> = {
  chrome: 'jhjoljfecgnnofpkppemifcbcoihkgho',
  edge: 'jhjoljfecgnnofpkppemifcbcoihkgho',
  firefox: '{ac7e55df-2349-4967-bdd9-71e95296c59e}',
};

/** What `identity.getRedirectURL('cb')` returns in that browser; Firefox prefixes the SHA-1 of the id. */
export function redirectUriOf(browser: Browser, extensionId: string): string {
  if (browser !== 'firefox') return `https://${extensionId}.chromiumapp.org/cb`;
  return `https://${createHash('sha1').update(extensionId).digest('hex')}.extensions.allizom.org/cb`;
}

/** Keeps portal customers from signing in (docs/helpdesk.md#oauth). */
export const oauthRoles: readonly string[] = ['Agent', 'Agent Manager'];

/** A public client for one browser's extension: PKCE without a secret, and no consent page (docs/helpdesk.md#oauth). */
export function desiredOAuthClient(browser: Browser, redirectUri: string) {
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

/** Newer versions of Frappe ask how a client authenticates itself; a public one does not. Sent if the field exists. */
export const publicClient = { token_endpoint_auth_method: 'None' } as const;

/** A field of the specification as the site has it. */
export interface ComparedField {
  desired: DesiredField;
  /** Possibly under its older name. */
  found: AdminField | undefined;
  /** Why it cannot hold all that the service writes, as the end of a sentence, and what to do; null if it can. */
  problem: { text: string; todo: string } | null;
}

/** @param site null if the site lacks the DocType itself */
export function compareFields(doctype: FieldedDoctype, site: AdminDoctype | null): ComparedField[] {
  return desiredFields[doctype].map((desired) => {
    const found = site ? foundAs(site.fields, desired) : undefined;
    return { desired, found, problem: found === undefined ? null : problemOf(desired, found) };
  });
}

function problemOf({ fieldtype, suits, values = [] }: DesiredField, found: AdminField): ComparedField['problem'] {
  if (!suits.includes(found.fieldtype))
    return {
      text: `is ${found.fieldtype}, should be ${fieldtype}: values that it cannot hold are left out`,
      todo: 'Back up its values, delete the field and run "deskside provision".',
    };
  const offered = found.options.split('\n').flatMap((option) => option.trim() || []);
  const isClosedList = found.fieldtype === 'Select' && offered.length > 0;
  const lacking = isClosedList ? values.filter((one) => !offered.includes(one)) : [];
  if (lacking.length === 0) return null;
  return {
    text: `is a Select without ${lacking.join(', ')}: such values are left out`,
    todo: 'Add these options in "Customize Form", exactly as written here.',
  };
}

/**
 * The fields of HD Customer that say which company it is, and the roles of website users that may set each (docs/decisions.md
 * 19). A field that is yet to be made counts as one at level 0.
 */
export function openIdentity({ fields, permissions }: AdminDoctype, deskRoles: ReadonlySet<string>) {
  return identifyingFields.flatMap((field) => {
    const level = fields.get(field)?.permlevel ?? 0;
    const roles = websiteRolesThatSet(permissions, level, deskRoles);
    return roles.length > 0 ? [{ field, level, roles, isThere: fields.has(field) }] : [];
  });
}

/** Roles that make whoever has them a system user. */
export async function deskRolesOf(admin: HelpdeskAdmin, signal: AbortSignal): Promise<Set<string>> {
  const roles = await admin.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] }, signal);
  return new Set(roles.map(({ name }) => name));
}

/** The desired values that a document lacks. An unset field counts as empty or 0; surrounding whitespace is ignored. */
export function differences<Desired extends Record<string, string | number>>(
  found: Record<string, unknown>,
  desired: Desired,
): Partial<Desired> {
  const plain = (value: unknown) => String(value ?? '').trim();
  const same = (value: unknown, other: string | number) =>
    typeof other === 'number' ? Number(value ?? 0) === other : plain(value) === plain(other);
  return Object.fromEntries(
    Object.entries(desired).filter(([field, value]) => !same(found[field], value)),
  ) as Partial<Desired>;
}

/** Our webhook as the helpdesk has it; `secret`: null if none is set. */
export interface FoundWebhook {
  document: AdminDocument;
  secret: string | null;
}

/** The webhook that `provision` makes, or else one that leads to the same path. Null if there is none. */
export async function readWebhook(admin: HelpdeskAdmin, signal: AbortSignal): Promise<FoundWebhook | null> {
  const filters = [['webhook_doctype', '=', 'HD Ticket']] as const;
  const all = await admin.list('Webhook', { fields: ['name', 'request_url', 'enabled'], filters }, signal);
  const leadingToUs = all.filter(({ request_url }) => textOf(request_url).endsWith(afterInsertPath));
  const found =
    all.find(({ name }) => name === webhookName) ?? leadingToUs.find(({ enabled }) => isOn(enabled)) ?? leadingToUs[0];
  if (found === undefined) return null;
  const [document, secret] = await Promise.all([
    admin.get('Webhook', found.name, signal),
    admin.password('Webhook', found.name, 'webhook_secret', signal),
  ]);
  return document && { document, secret };
}

/** Which of our secrets something has: the current one, then possibly the previous one. */
export function whichOf(ours: readonly Secret[], isIt: (secret: string) => boolean): 'current' | 'previous' | 'other' {
  const [current, previous] = ours.map((secret) => isIt(secret.reveal()));
  return current ? 'current' : previous ? 'previous' : 'other';
}

/**
 * What differs at a client of the helpdesk, as it should be (docs/helpdesk.md#oauth). It may lead back elsewhere as well.
 *
 * @param asksForMethod whether this Frappe has a field for how a client authenticates itself
 */
export function compareClient(
  document: AdminDocument,
  { use, redirectUri }: { use: Browser; redirectUri: string },
  asksForMethod = false,
): Record<string, unknown> {
  const roles = column(document.allowed_roles, 'role');
  const isOfTheDesk = roles.length === oauthRoles.length && oauthRoles.every((role) => roles.includes(role));
  return {
    ...differences(document, { ...desiredOAuthClient(use, redirectUri), ...(asksForMethod && publicClient) }),
    ...(!isOfTheDesk && { allowed_roles: oauthRoles.map((role) => ({ role })) }),
  };
}
