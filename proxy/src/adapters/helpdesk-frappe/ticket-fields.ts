import type { RoutingFields } from '../../ports/helpdesk-tickets.ts';
import type { DoctypeFields } from './doctype-fields.ts';
import { cutToRoom, plain } from './field-values.ts';
import type { WantedFields } from './plan-write.ts';

/** What senders and agents fill in for intake, in the order in which it is believed (facts/domain.md section 3). */
export const intakeFields = [
  'custom_store_url',
  'custom_orgid',
  'custom_myplatform_domain',
  'custom_my_platform_domain',
  'custom_platform_myplatform_link',
  'custom_platform_shop_link',
] as const;

/** Where what routing decides stands on HD Ticket (spec.md, "Resources and their fields"). */
const fieldOf = {
  agentGroup: 'agent_group',
  orgId: 'custom_orgid',
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
} as const satisfies Record<keyof RoutingFields, string>;

/** The platform's domain has an older name on some sites. */
const olderDomainField = 'custom_my_platform_domain';

/** Columns that are read so that a later write can be compared with them. */
export const routingColumns: readonly string[] = [...Object.values(fieldOf), olderDomainField];

/** Times of checking: later ones alone are no reason to write a ticket (design.md, decision 16). */
export const checkTimes: ReadonlySet<string> = new Set([fieldOf.checkedAt, fieldOf.crmLastCheckedAt]);

/** Texts by the helpdesk's own field names, for a script that sets them before the ticket is inserted. */
export function namedFields(wanted: RoutingFields): Record<string, string> {
  const entries = Object.entries(wanted).flatMap(([member, value]) =>
    typeof value === 'string' ? [[fieldOf[member as keyof RoutingFields], value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** What routing wants by field; an empty text clears. Error and reason are cut to what their field has room for. */
export function wantedOf(wanted: RoutingFields, fields: DoctypeFields): WantedFields {
  return (Object.keys(fieldOf) as (keyof RoutingFields)[]).flatMap((member): WantedFields => {
    const field = member === 'platformDomain' ? domainField(fields) : fieldOf[member];
    const value = wanted[member];
    if (value === undefined) return [];
    if (value === null) return [[field, null]];
    if (typeof value === 'number') return [[field, { instant: value }]];
    if (member === 'agentGroup') return [[field, { link: value, to: 'HD Team' }]];
    const text = member === 'error' || member === 'reason' ? cutToRoom(fields.get(field), value) : value;
    return [[field, plain(text) === '' ? null : { text }]];
  });
}

function domainField(fields: DoctypeFields): string {
  const onlyOlder = !fields.has(fieldOf.platformDomain) && fields.has(olderDomainField);
  return onlyOlder ? olderDomainField : fieldOf.platformDomain;
}
