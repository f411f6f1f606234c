import * as z from 'zod';
import { HelpdeskError } from '#helpdesk/helpdesk.ts';
import { openIdentity } from '#setup/compare-identity.ts';
import { type Deadline, type HelpdeskReader, textOf } from '#setup/helpdesk-reader.ts';
import { websiteRolesThatChange, websiteRolesThatSet } from '#setup/website-rights.ts';
import { type AreaReport, areaReport, type DoctorFinding, finding, listed } from './finding.ts';

export interface WebsiteRightsFacts {
  /** Roles of website users that let them create, write or delete Contacts. */
  contactRoles: string[];
  /** Contacts that website users own, oldest first. */
  contacts: { name: string; owner: string }[];
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
  const [roles, contact, contacts, customer, links] = await Promise.all([
    service.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] }, deadline()),
    service.doctype('Contact', deadline()),
    contactsOfWebsiteUsers(service, deadline),
    service.doctype('HD Customer', deadline()),
    accountLinkDoctype === null ? null : service.doctype(accountLinkDoctype, deadline()),
  ]);
  const deskRoles = new Set(roles.map(({ name }) => name));
  return {
    contactRoles: websiteRolesThatChange(contact?.permissions ?? [], deskRoles),
    contacts,
    customerFields: customer ? openIdentity(customer, deskRoles).filter(({ isThere }) => isThere) : [],
    accountLinks:
      accountLinkDoctype && links
        ? { doctype: accountLinkDoctype, roles: websiteRolesThatSet(links.permissions, 0, deskRoles) }
        : null,
  };
}

const Owners = z.array(z.object({ owner: z.string() }));
/** So many owners fit into the address of a request. */
const atOnce = 50;

async function contactsOfWebsiteUsers(
  service: HelpdeskReader,
  deadline: Deadline,
): Promise<WebsiteRightsFacts['contacts']> {
  const distinct = { doctype: 'Contact', fields: '["owner"]', group_by: 'owner', limit_page_length: '0' };
  const [owners, desk] = await Promise.all([
    service.call('frappe.client.get_list', distinct, deadline()),
    service.list('User', { fields: ['name'], filters: [['user_type', '=', 'System User']] }, deadline()),
  ]);
  const parsed = Owners.safeParse(owners);
  if (!parsed.success) throw new HelpdeskError('bad_answer', 'Listing owners: the response has an unexpected shape.');
  // Guest owns what signing up makes; nobody can sign in as Guest, and so change it.
  const others = new Set(['Administrator', 'Guest', ...desk.map(({ name }) => name)]);
  const website = parsed.data.flatMap(({ owner }) => (others.has(owner) ? [] : [owner]));
  const contacts: WebsiteRightsFacts['contacts'] = [];
  for (let start = 0; start < website.length; start += atOnce) {
    const filters = [['owner', 'in', website.slice(start, start + atOnce)]] as const;
    const rows = await service.list('Contact', { fields: ['name', 'owner'], filters }, deadline());
    contacts.push(...rows.map(({ name, owner }) => ({ name, owner: textOf(owner) })));
  }
  return contacts;
}

/** Says whether senders can tamper with what vouches for them (docs/decisions.md 9, 43). */
export function judgeWebsiteRights({
  contactRoles,
  contacts,
  customerFields,
  accountLinks,
}: WebsiteRightsFacts): AreaReport {
  const portal = listed([...new Set(customerFields.flatMap((field) => field.roles))]);
  const links = accountLinks?.doctype;
  const isOpen = customerFields.length > 0;
  const linksOpen = accountLinks !== null && accountLinks.roles.length > 0;
  return areaReport('Evidence', {
    findings: [
      contactRoles.length > 0 &&
        finding(
          'contacts_open',
          `Website users (${listed(contactRoles)}) may create, write or delete Contacts: whoever makes one with the ` +
            'address of somebody else reads the tickets of that person.',
          'Run "deskside provision", which moves these rights to the desk and notes how they were.',
        ),
      contacts.length > 0 && contactsFound(contacts),
      isOpen &&
        finding(
          'customer_org_id_open',
          `Portal customers with the role ${portal} may change ${listed(customerFields.map(({ field }) => field))} of HD ` +
            'Customer, and so pass for another company.',
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
      contactRoles.length === 0 && 'Only desk users may create, write and delete Contacts.',
      !isOpen && 'Only desk users can set which company an HD Customer is.',
      accountLinks !== null && !linksOpen && `Only desk users may write ${links}.`,
    ],
  });
}

function contactsFound(contacts: WebsiteRightsFacts['contacts']): DoctorFinding {
  const isOne = contacts.length === 1;
  const owners = [...new Set(contacts.map(({ owner }) => owner))];
  const which = listed(contacts.map(({ name, owner }) => `${name} (of ${owner})`));
  return finding(
    'contacts_of_website_users',
    `${isOne ? 'A website user owns a Contact' : `Website users own ${contacts.length} Contacts`}, with whatever address they gave: ${which}.`,
    `Look at ${isOne ? 'it' : 'each'} in the helpdesk (/app/contact?owner=${encodeURIComponent(owners[0] ?? '')}` +
      `${owners.length > 1 ? ', then the same for each other owner' : ''}), and delete what holds an address or a ` +
      'customer that is not its owner’s: provisioning takes nothing away.',
    `${contacts.length}`,
  );
}
