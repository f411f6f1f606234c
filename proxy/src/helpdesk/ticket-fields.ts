import type { DoctypeFields } from './doctype-meta.ts';
import { cutToRoom, plain } from './field-values.ts';
import type { RoutingFields } from './helpdesk-tickets.ts';
import type { DesiredFields } from './plan-write.ts';

/** The ticket's fields that may hold its org id, by precedence (docs/decisions.md 5). */
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
export const fieldOf = {
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
export const domainFields = [fieldOf.platformDomain, olderDomainField] as const;

/** Columns read so that a later write can be compared against them. */
export const routingColumns: readonly string[] = [...Object.values(fieldOf), olderDomainField];

/** Times of checks: if they are merely later, the ticket is not written (docs/decisions.md 16). */
export const checkTimes: ReadonlySet<string> = new Set([fieldOf.checkedAt, fieldOf.crmLastCheckedAt]);

/** Texts under the helpdesk's own field names, for a script that sets them before the ticket is inserted. */
export function namedFields(desired: RoutingFields): Record<string, string> {
  const entries = Object.entries(desired).flatMap(([member, value]) =>
    typeof value === 'string' ? [[fieldOf[member as keyof RoutingFields], value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Routing's desired values by field; an empty text clears. Error and reason are cut to the length of their fields. */
export function desiredOf(desired: RoutingFields, fields: DoctypeFields): DesiredFields {
  return (Object.keys(fieldOf) as (keyof RoutingFields)[]).flatMap((member): DesiredFields => {
    const field = member === 'platformDomain' ? domainField(fields) : fieldOf[member];
    const value = desired[member];
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
