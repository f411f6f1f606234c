import { identifyingFields } from '#setup/desired-state.ts';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
import { websiteRolesThatSet } from '#setup/website-rights.ts';
import type { Deadline, HelpdeskReader } from './helpdesk-reader.ts';

export interface WebsiteRightsFacts {
  /** Identifying fields of HD Customer that website users may set, with the roles that let them. */
  customerFields: { field: string; roles: string[] }[];
  /** The DocType of platform accounts; null if none is configured, or if the site does not have it. */
  accountLinks: { doctype: string; roles: string[] } | null;
}

/** Reads what website users may set in the records that vouch for a sender. Throws if the roles may not be listed. */
export async function gatherWebsiteRights(
  service: HelpdeskReader,
  accountLinkDoctype: string | null,
  deadline: Deadline,
): Promise<WebsiteRightsFacts> {
  const [roles, customer, links] = await Promise.all([
    service.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] }, deadline()),
    service.doctype('HD Customer', deadline()),
    accountLinkDoctype === null ? null : service.doctype(accountLinkDoctype, deadline()),
  ]);
  const deskRoles = new Set(roles.map(({ name }) => name));
  const openTo = ({ permissions }: AdminDoctype, level: number) => websiteRolesThatSet(permissions, level, deskRoles);
  return {
    customerFields: identifyingFields.flatMap((name) => {
      const field = customer?.fields.get(name);
      const open = customer && field ? openTo(customer, field.permlevel) : [];
      return open.length > 0 ? [{ field: name, roles: open }] : [];
    }),
    accountLinks: accountLinkDoctype && links ? { doctype: accountLinkDoctype, roles: openTo(links, 0) } : null,
  };
}
