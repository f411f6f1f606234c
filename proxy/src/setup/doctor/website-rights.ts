import { openIdentity } from '#setup/compare-identity.ts';
import type { Deadline, HelpdeskReader } from '#setup/helpdesk-reader.ts';
import { websiteRolesThatSet } from '#setup/website-rights.ts';
import { type AreaReport, finding, listed } from './finding.ts';

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
  const findings = [];
  const passed = [];
  if (customerFields.length > 0) {
    const roles = listed([...new Set(customerFields.flatMap((field) => field.roles))]);
    findings.push(
      finding(
        'customer_org_id_open',
        `Portal customers with the role ${roles} may change ${listed(customerFields.map(({ field }) => field))} of HD ` +
          'Customer, and so pass for another company; as long as they may, membership alone does not vouch for a sender.',
        'Run "deskside provision", which protects these fields; if it has, remove write permission at their level from these roles.',
      ),
    );
  } else passed.push('Only desk users can set which company an HD Customer is.');
  if (accountLinks !== null && accountLinks.roles.length > 0) {
    findings.push(
      finding(
        'account_links_open',
        `Portal customers (${listed(accountLinks.roles)}) may write ${accountLinks.doctype}, so these records do not ` +
          'vouch for a sender.',
        `Remove create and write permission on ${accountLinks.doctype} from these roles (Role Permissions Manager).`,
      ),
    );
  } else if (accountLinks !== null) passed.push(`Only desk users may write ${accountLinks.doctype}.`);
  return { area: 'Evidence', findings, passed, unchecked: [] };
}
