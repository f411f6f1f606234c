import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import type { SiteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import type { SiteFields } from '#adapters/helpdesk-frappe/fields/site-fields.ts';
import { textOf } from '#adapters/helpdesk-frappe/reads/tickets/read-ticket.ts';
import type { CustomerSegment } from '#ports/helpdesk/helpdesk-tickets.ts';

const Row = z.looseObject({ name: z.string(), custom_platform_orgid: z.unknown() });
const columns = ['custom_customer_segment', 'custom_shopplan_name', 'custom_crm_last_checked_at'];
/** The database compares numbers as numbers: `02` also matches 2, so a few more rows are read and compared again. */
const limit = 20;

/**
 * Reads segment and plan of the customer with an org id; the oldest of several. Null if there is none, or if the site
 * has no such field.
 *
 * @param service Authorization header of the service account
 * @throws FrappeError with `DataError` if the site no longer has one of the fields
 */
export async function readCustomerSegment(
  deps: { client: FrappeClient; service: string; fields: SiteFields; zone: SiteZone },
  orgId: OrgId,
  signal: AbortSignal,
): Promise<CustomerSegment | null> {
  const { client, service, fields, zone } = deps;
  if (!fields.has('HD Customer', 'custom_platform_orgid')) return null;
  const query = {
    fields: [...['name', 'custom_platform_orgid'], ...columns.filter((column) => fields.has('HD Customer', column))],
    filters: [['custom_platform_orgid', '=', orgId]],
    orderBy: 'creation asc',
    limit,
  };
  const rows = await client.list('HD Customer', query, Row, service, signal);
  const row = rows.find(({ custom_platform_orgid }) => parseOrgId(custom_platform_orgid) === orgId);
  if (row === undefined) return null;
  return {
    name: row.name,
    segment: textOf(row.custom_customer_segment),
    shopPlan: textOf(row.custom_shopplan_name),
    checkedAt: zone.toInstant(row.custom_crm_last_checked_at),
  };
}
