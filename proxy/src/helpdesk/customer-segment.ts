import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { CustomerSegment } from './helpdesk-tickets.ts';
import { textOf } from './read-ticket.ts';
import type { Site } from './site.ts';
import { withFields } from './site-fields.ts';

const Row = z.looseObject({ name: z.string(), custom_platform_orgid: z.unknown() });
const columns = ['custom_customer_segment', 'custom_shopplan_name', 'custom_crm_last_checked_at'];
/** The database compares numbers as numbers: `02` also matches 2, so a few more rows are read and compared again. */
const limit = 20;

/**
 * Segment and plan of the customer with an org id, the oldest of several; null if there is none, or if the site has no such
 * field.
 */
export async function findCustomerOf(at: Site, orgId: OrgId, signal: AbortSignal): Promise<CustomerSegment | null> {
  const zone = await at.zone.get(signal);
  return withFields(at.site, signal, async (fields) => {
    const has = (field: string) => fields.has('HD Customer', field);
    if (!has('custom_platform_orgid')) return null;
    const query = {
      fields: ['name', 'custom_platform_orgid', ...columns.filter(has)],
      filters: [['custom_platform_orgid', '=', orgId]],
      orderBy: 'creation asc',
      limit,
    };
    const rows = await at.client.list('HD Customer', query, Row, at.service, signal);
    const row = rows.find(({ custom_platform_orgid }) => parseOrgId(custom_platform_orgid) === orgId);
    if (row === undefined) return null;
    return {
      name: row.name,
      segment: textOf(row.custom_customer_segment),
      shopPlan: textOf(row.custom_shopplan_name),
      checkedAt: zone.toInstant(row.custom_crm_last_checked_at),
    };
  });
}
