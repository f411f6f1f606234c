import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingStatus } from '@deskside/shared/routing';
import { plain } from './text.ts';
import { cutToRoom, type DoctypeFields, type SiteField } from './values.ts';
import type { DesiredFields } from './write-plan.ts';

// The fields of tickets and customers that we read and write.

/**
 * What routing writes to a ticket; an absent member leaves its field alone, null clears it. Instants in epoch milliseconds.
 */
export interface RoutingFields {
  agentGroup?: string;
  orgId?: OrgId;
  /** Copies of `orgId` in the ticket's former fields, which some sites have. */
  profileOrgId?: OrgId;
  olderOrgId?: OrgId;
  platformDomain?: string;
  segment?: string;
  shopplan?: string;
  servicePlan?: string;
  status?: RoutingStatus;
  error?: string;
  reason?: string;
  checkedAt?: number | null;
  crmLastCheckedAt?: number | null;
  crmNotFoundAt?: number | null;
  /** The account owner's e-mail. */
  responsible?: string;
}

declare const teamOnly: unique symbol;
declare const judged: unique symbol;

/** A reason that names the team and nothing of a company. */
export type TeamReason = string & { readonly [teamOnly]: true };

/** What tells nothing of a company: the team, how routing went, what intake read in the sender's own words, and blanks. */
export interface PlainFields
  extends Pick<RoutingFields, 'agentGroup' | 'platformDomain' | 'status' | 'error' | 'checkedAt'>,
    Pick<RoutingFields, 'orgId' | 'profileOrgId' | 'olderOrgId'> {
  reason?: TeamReason;
  segment?: '';
  shopplan?: '';
  servicePlan?: '';
  responsible?: '';
  crmLastCheckedAt?: null;
  crmNotFoundAt?: null;
  customer?: null;
}

/** What may tell something of a company to whoever reads the ticket. `customer`: the one to link; null: none. */
export interface CompanyData extends RoutingFields {
  customer?: string | null;
}

/**
 * Company data of which it was judged that they may stand on the ticket. Nothing else can be written there, and only
 * `customers/ticket-writes.ts` makes them (decision 11: which customer).
 */
export type JudgedData = CompanyData & { readonly [judged]: true };
/** The same for what is given back. */
export type JudgedChanges = readonly FieldChange[] & { readonly [judged]: true };

/**
 * What we may say about a helpdesk customer, from the CRM (decision 18: what is written). An absent member leaves its field
 * alone, null clears it. Instants in epoch milliseconds; they are written in the site's own time zone and format.
 */
export interface CustomerFacts {
  platformOrgId?: OrgId;
  myplatform?: string;
  crmCompanyId?: string;
  crmCompanyUrl?: string;
  matchConfidence?: number;
  syncStatus?: 'matched' | 'not_found' | 'error';
  segment?: string;
  shopPlan?: string;
  companyModifiedAt?: number;
  lastSyncedAt?: number;
  lastCheckedAt?: number;
  notFoundAt?: number | null;
}

/** The ticket's fields that may hold its org id, by precedence (decision 5: order of org ids). */
export const orgIdFields = [
  { field: 'custom_platform_profile_orgid', kind: 'profile' },
  { field: 'custom_orgid', kind: 'current' },
  { field: 'custom_org_id', kind: 'older' },
] as const;

/** The fields that senders and agents fill in for intake, by precedence (docs/routing.md#intake). */
export const intakeFields = [
  'custom_store_url',
  'custom_orgid',
  'custom_myplatform_domain',
  'custom_my_platform_domain',
  'custom_platform_myplatform_link',
  'custom_platform_shop_link',
] as const;

/** The fields of HD Ticket that hold what routing decides (docs/data.md#hd-ticket). */
export const ticketFieldOf = {
  agentGroup: 'agent_group',
  orgId: 'custom_orgid',
  profileOrgId: 'custom_platform_profile_orgid',
  olderOrgId: 'custom_org_id',
  platformDomain: 'custom_myplatform_domain',
  segment: 'custom_customer_segment',
  shopplan: 'custom_shopplan',
  servicePlan: 'custom_platform_service_plan',
  status: 'custom_platform_profile_status',
  error: 'custom_platform_profile_error',
  reason: 'custom_platform_routing_reason',
  checkedAt: 'custom_platform_profile_checked_at',
  crmLastCheckedAt: 'custom_crm_last_checked_at',
  crmNotFoundAt: 'custom_crm_not_found_at',
  responsible: 'custom_responsible',
} as const satisfies Record<keyof RoutingFields, string>;

/** On some sites the domain's field has this name, and is used under it. */
const olderDomainField = 'custom_my_platform_domain';

/** Fields that hold the shop's domain below the platform. */
export const domainFields = [ticketFieldOf.platformDomain, olderDomainField] as const;

/** Columns read so that a later write can be compared against them. */
export const routingColumns: readonly string[] = [...Object.values(ticketFieldOf), olderDomainField];

/** Times of checks: if they are merely later, the ticket is not written (decision 18: what is written). */
export const checkTimes: ReadonlySet<string> = new Set([ticketFieldOf.checkedAt, ticketFieldOf.crmLastCheckedAt]);

/** Texts under the helpdesk's own field names, for a script that sets them before the ticket is inserted. */
export function namedFields({ customer: _, ...desired }: PlainFields): Record<string, string> {
  const entries = Object.entries(desired).flatMap(([member, value]) =>
    typeof value === 'string' ? [[ticketFieldOf[member as keyof RoutingFields], value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Routing's desired values by field; an empty text clears. Error and reason are cut to the length of their fields. */
export function ticketValues(desired: RoutingFields, fields: DoctypeFields): DesiredFields {
  return (Object.keys(ticketFieldOf) as (keyof RoutingFields)[]).flatMap((member): DesiredFields => {
    const field = member === 'platformDomain' ? domainField(fields) : ticketFieldOf[member];
    const value = desired[member];
    if (value === undefined) return [];
    if (value === null) return [[field, null]];
    if (typeof value === 'number') return [[field, { instant: value }]];
    if (member === 'agentGroup') return [[field, { link: value, to: 'HD Team' }]];
    const text = textFor(fields.get(field), member, value);
    return [[field, plain(text) === '' ? null : { text }]];
  });
}

function textFor(field: SiteField | undefined, member: keyof RoutingFields, value: string): string {
  if (member === 'error' || member === 'reason') return cutToRoom(field, value);
  // Older sites have a Select with a plan group for each team, and a Medium customer may be in the team for all others.
  const isListed = field?.fieldtype !== 'Select' || field.options.split('\n').includes(value);
  return member === 'shopplan' && value === 'Medium' && !isListed ? 'SME' : value;
}

function domainField(fields: DoctypeFields): string {
  const onlyOlder = !fields.has(ticketFieldOf.platformDomain) && fields.has(olderDomainField);
  return onlyOlder ? olderDomainField : ticketFieldOf.platformDomain;
}

/** The field of HD Customer that holds each fact (docs/data.md#hd-customer; decision 18: what is written). */
export const customerFieldOf = {
  platformOrgId: 'custom_platform_orgid',
  myplatform: 'custom_myplatform',
  crmCompanyId: 'custom_crm_company_id',
  crmCompanyUrl: 'custom_crm_company_url',
  matchConfidence: 'custom_crm_match_confidence',
  syncStatus: 'custom_crm_sync_status',
  segment: 'custom_customer_segment',
  shopPlan: 'custom_shopplan_name',
  companyModifiedAt: 'custom_crm_company_modified_at',
  lastSyncedAt: 'custom_crm_last_synced_at',
  lastCheckedAt: 'custom_crm_last_checked_at',
  notFoundAt: 'custom_crm_not_found_at',
} as const satisfies Record<keyof CustomerFacts, string>;

const instants: ReadonlySet<string> = new Set<keyof CustomerFacts>([
  'companyModifiedAt',
  'lastSyncedAt',
  'lastCheckedAt',
  'notFoundAt',
]);

/**
 * The facts by field. A blank text never blanks an existing value; an existing domain, which may be the shop's own, is
 * not replaced by the one derived from its org id.
 */
export function customerValues(facts: CustomerFacts, stored: Readonly<Record<string, unknown>> | null): DesiredFields {
  return (Object.keys(customerFieldOf) as (keyof CustomerFacts)[]).flatMap((fact): DesiredFields => {
    const value = facts[fact];
    if (value === undefined || (typeof value === 'string' && plain(value) === '')) return [];
    if (fact === 'myplatform' && stored?.[customerFieldOf.myplatform]) return [];
    if (value === null) return [[customerFieldOf[fact], null]];
    const desired = instants.has(fact) ? { instant: Number(value) } : { text: String(value) };
    return [[customerFieldOf[fact], desired]];
  });
}

// The fields and the DocType that Deskside expects in the helpdesk: `provision` makes them, `doctor` compares with them, and what is read and
// written goes by them. Types follow docs/data.md; org ids are Data (decision 5: order of org ids).

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
      values: ['Complete', 'API Error', 'missing_config'],
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
