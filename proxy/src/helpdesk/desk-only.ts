import * as z from 'zod';
import { deskAmong } from './desk.ts';
import type { Site } from './site.ts';
import type { WebsiteRights } from './website-rights.ts';

/** More than say anything; bounds the size of a response. */
const limit = 500;

const OwnedRow = z.object({ name: z.string(), owner: z.string(), manages: z.unknown().optional() });

/**
 * Whether no website user may write or rename a customer. Where a role of theirs may write customers at all, the helpdesk
 * lets in who manages this one on the portal (docs/helpdesk.md#roles), and who made it.
 */
export async function isDeskOnly(
  at: Site & Pick<WebsiteRights, 'customersAreClosed'>,
  customer: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (await at.customersAreClosed(signal)) return true;
  const fields = await at.site.get(signal);
  if (!fields.has('HD Customer', 'contacts')) return false;
  const query = {
    fields: ['name', 'owner', 'contacts.is_manager as manages'],
    filters: [['name', '=', customer]],
    limit,
  };
  const found = await at.client.list('HD Customer', query, OwnedRow, at.service, signal);
  const rows = found.filter(({ name }) => name === customer);
  const [first] = rows;
  if (first === undefined || rows.length === limit || rows.some(({ manages }) => manages === 1)) return false;
  const owner = first.owner.toLowerCase();
  if (owner === (await at.serviceUser(signal)).toLowerCase()) return true;
  return (await deskAmong(at, new Set([owner]), signal)).has(owner);
}
