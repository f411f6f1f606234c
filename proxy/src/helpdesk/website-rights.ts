import { websiteRolesThatSet } from '#setup/website-rights.ts';
import { type FrappeClient, Named } from './client.ts';
import { customerFieldOf } from './customer-fields.ts';
import { readDoctypeMeta } from './doctype-meta.ts';
import { HelpdeskError } from './helpdesk.ts';
import type { HelpdeskRecords } from './helpdesk-records.ts';
import type { Site } from './site.ts';

const forTenMinutes = { ttlMs: 10 * 60_000, max: 1 };

/** How requests fail while the helpdesk is temporarily unreachable; any other failure is its answer. */
const passing = ['unavailable', 'timeout'];

export type WebsiteRights = Record<'crmIdIsProtected' | 'customersAreClosed', HelpdeskRecords['crmIdIsProtected']>;

type RightsDeps = Pick<Site, 'client' | 'service' | 'logger' | 'memory'>;

/** Whether only the desk may set the fields that say which company a customer is; judged like `isClosedOn` says. */
export function createWebsiteRights(deps: RightsDeps): WebsiteRights {
  const isClosed = isClosedOn(deps);
  return {
    crmIdIsProtected: isClosed('HD Customer', customerFieldOf.crmCompanyId),
    customersAreClosed: isClosed('HD Customer', null),
  };
}

/**
 * Judges from the current permissions what website users may set. Two requests, whose result is cached for ten minutes,
 * even if it could not be determined, unless the helpdesk did not answer at all.
 */
function isClosedOn({ client, service, logger, memory }: RightsDeps) {
  return (doctype: string, fieldname: string | null) => {
    const read = (signal: AbortSignal) =>
      isClosedToWebsite({ client, service }, doctype, fieldname, signal).catch((error: unknown) => {
        if (!(error instanceof HelpdeskError) || passing.includes(error.kind)) throw error;
        logger.warn(
          { doctype, kind: error.kind },
          'The permissions on these records cannot be read, so nothing that a sender could write in them counts as proof',
        );
        return false;
      });
    const closed = memory.readings<boolean>(forTenMinutes);
    return async (signal: AbortSignal) =>
      closed.get(doctype, read, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof HelpdeskError || isTimeout(error)) return false;
        throw error;
      });
  };
}

/** Whether no website user may set the field or, if none is named, create or write documents at all. Throws HelpdeskError. */
export async function isClosedToWebsite(
  { client, service }: Pick<RightsDeps, 'client' | 'service'>,
  doctype: string,
  fieldname: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const [meta, deskRoles] = await Promise.all([
    readDoctypeMeta(client, doctype, service, signal),
    readDeskRoles(client, service, signal),
  ]);
  const level = fieldname === null ? 0 : meta.fields.find((field) => field.fieldname === fieldname)?.permlevel;
  if (level === undefined) return false;
  return websiteRolesThatSet(meta.permissions, level, deskRoles).length === 0;
}

/**
 * Reads the roles with desk access: having one makes a user a system user. Agent Managers may list them
 * (docs/helpdesk.md#roles).
 */
async function readDeskRoles(client: FrappeClient, as: string, signal: AbortSignal): Promise<Set<string>> {
  const query = { fields: ['name'], filters: [['desk_access', '=', 1]], limit: 0 };
  const rows = await client.list('Role', query, Named, as, signal);
  return new Set(rows.map(({ name }) => name));
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
