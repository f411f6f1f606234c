import { portalRoles } from '#helpdesk/seeding/fixtures.ts';
import { childRows, documentsOf, lookup, type Site } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

/**
 * All roles of a user: their own, the automatic ones, and in 1.28 those of the portal: the default one of whoever signs
 * up there, and those that membership in a customer brings.
 */
export function rolesOf(site: Site, user: string): Set<string> {
  if (user === 'Guest') return new Set(['Guest']);
  const own = site.accounts.get(user)?.roles ?? [];
  const roles = new Set([...own, 'All', 'Guest']);
  if (own.some((role) => !portalRoles.includes(role))) roles.add('Desk User');
  if (site.generation === '1.28') {
    if (own.length === 0) roles.add('HD Customer');
    for (const { row } of memberships(site, user)) {
      roles.add('HD Customer');
      if (row.is_manager === 1) roles.add('HD Customer Manager');
    }
  }
  return roles;
}

/** Agent in Helpdesk's sense: the role Agent or Agent Manager, an HD Agent record, or Administrator. */
export function isAgent(site: Site, user: string): boolean {
  if (user === 'Administrator') return true;
  const roles = rolesOf(site, user);
  return roles.has('Agent') || roles.has('Agent Manager') || lookup(site, 'HD Agent', user) !== undefined;
}

/** Teams that list the user; a disabled team counts for nobody. */
export function teamsOf(site: Site, user: string): StoredDocument[] {
  return documentsOf(site, 'HD Team')
    .filter((team) => team.disabled !== 1 && childRows(team, 'users').some((row) => row.user === user))
    .sort((left, right) => String(left.creation).localeCompare(String(right.creation)));
}

/** Contacts that are this user, by their `user` field or primary address. */
export function contactsOf(site: Site, user: string): StoredDocument[] {
  return documentsOf(site, 'Contact').filter((contact) => contact.user === user || contact.email_id === user);
}

/** Customers that list one of the user's contacts as a member (1.28). */
export function memberships(site: Site, user: string): { customer: string; row: Record<string, unknown> }[] {
  const contacts = new Set(contactsOf(site, user).map((contact) => contact.name));
  return documentsOf(site, 'HD Customer').flatMap((customer) =>
    childRows(customer, 'contacts')
      .filter((row) => contacts.has(String(row.contact_name)))
      .map((row) => ({ customer: customer.name, row })),
  );
}

/** Customers that a contact belongs to: by membership in 1.28, by its own links before. */
export function customersOfContact(site: Site, contact: string): string[] {
  if (site.generation === '1.28') {
    return documentsOf(site, 'HD Customer')
      .filter((customer) => childRows(customer, 'contacts').some((row) => row.contact_name === contact))
      .map((customer) => customer.name);
  }
  return childRows(lookup(site, 'Contact', contact), 'links')
    .filter((row) => row.link_doctype === 'HD Customer')
    .map((row) => String(row.link_name));
}
