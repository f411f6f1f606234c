import { openIdentity } from '#setup/compare-identity.ts';
import type { Deadline, HelpdeskReader } from '#setup/helpdesk-reader.ts';
import { websiteRolesThatSet } from '#setup/website-rights.ts';
import { type AreaReport, areaReport, finding, listed } from './finding.ts';

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
  return {
    customerFields: customer ? openIdentity(customer, deskRoles).filter(({ isThere }) => isThere) : [],
    accountLinks:
      accountLinkDoctype && links
        ? { doctype: accountLinkDoctype, roles: websiteRolesThatSet(links.permissions, 0, deskRoles) }
        : null,
  };
}

/** Says whether senders can tamper with what vouches for them (docs/decisions.md 9). */
export function judgeWebsiteRights({ customerFields, accountLinks }: WebsiteRightsFacts): AreaReport {
  const portal = listed([...new Set(customerFields.flatMap((field) => field.roles))]);
  const links = accountLinks?.doctype;
  const isOpen = customerFields.length > 0;
  const linksOpen = accountLinks !== null && accountLinks.roles.length > 0;
  return areaReport('Evidence', {
    findings: [
      isOpen &&
        finding(
          'customer_org_id_open',
          `Portal customers with the role ${portal} may change ${listed(customerFields.map(({ field }) => field))} of HD ` +
            'Customer, and so pass for another company; as long as they may, membership alone does not vouch for a sender.',
          'Run "deskside provision", which protects these fields; if it has, remove write permission at their level from these roles.',
        ),
      linksOpen &&
        finding(
          'account_links_open',
          `Portal customers (${listed(accountLinks.roles)}) may write ${links}, so these records do not ` +
            'vouch for a sender.',
          `Remove create and write permission on ${links} from these roles (Role Permissions Manager).`,
        ),
    ],
    passed: [
      !isOpen && 'Only desk users can set which company an HD Customer is.',
      accountLinks !== null && !linksOpen && `Only desk users may write ${links}.`,
    ],
  });
}
