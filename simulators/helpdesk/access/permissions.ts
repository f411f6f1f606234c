import { doctypeDenied, documentDenied } from '#helpdesk/errors.ts';
import { childRows, documentsOf, type FakeSite, lookup } from '#helpdesk/site/site.ts';
import type { DocPerm, DocType } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

export type PermissionType = 'read' | 'write' | 'create' | 'delete' | 'select' | 'share' | 'email';

function rowsFor(site: FakeSite, user: string, doctype: DocType): DocPerm[] {
  const roles = rolesOf(site, user);
  return doctype.permissions.filter((row) => roles.has(row.role));
}

/** For lists and the meta call: of a DocType that the site does not have, a 404 is said only to who may read DocTypes. */
export function listedDoctype(site: FakeSite, user: string, name: string): DocType {
  const mayKnow = user === 'Administrator' || rolesOf(site, user).has('System Manager');
  if (site.metadata.find(name) === undefined && !mayKnow) throw doctypeDenied(user, 'DocType', false);
  return site.metadata.list(name);
}

/** What the roles allow on a DocType as a whole: everything, only one's own documents, or nothing. */
export function roleAccess(
  site: FakeSite,
  user: string,
  doctype: DocType,
  action: PermissionType,
): 'all' | 'own' | 'none' {
  if (user === 'Administrator') return 'all';
  const rows = rowsFor(site, user, doctype).filter((row) => (row.permlevel ?? 0) === 0 && row[action] === 1);
  if (rows.length === 0) return 'none';
  // Whoever may create may create: ownership limits only what is done with existing documents.
  return action === 'create' || rows.some((row) => row.if_owner !== 1) ? 'all' : 'own';
}

/** Field levels the user may read or write. Level 0 is always among them: the DocType itself was checked before. */
export function fieldLevels(site: FakeSite, user: string, doctype: DocType, action: 'read' | 'write'): Set<number> {
  if (user === 'Administrator') return allLevels(doctype);
  const levels = new Set([0]);
  for (const row of rowsFor(site, user, doctype)) if (row[action] === 1) levels.add(row.permlevel ?? 0);
  return levels;
}

/** Every level that fields of this DocType have. */
export function allLevels(doctype: DocType): Set<number> {
  return new Set([0, ...doctype.fields.map((field) => field.permlevel ?? 0)]);
}

/** Which single documents are within the user's reach: by roles and the DocType's own check, or by a share, which goes over both. */
export function reach(
  site: FakeSite,
  user: string,
  doctype: DocType,
  action: PermissionType,
): (document: StoredDocument) => boolean {
  const passes = reachByRoles(site, user, doctype, action);
  const shared = sharedWith(site, user, doctype, action);
  return (document) => passes(document) || shared.has(document.name);
}

/** Which documents a list shows. It looks for shares only where the roles open nothing, or one's own documents alone. */
export function listed(site: FakeSite, user: string, doctype: DocType, action: PermissionType) {
  return roleAccess(site, user, doctype, action) === 'all'
    ? reachByRoles(site, user, doctype, action)
    : reach(site, user, doctype, action);
}

function reachByRoles(site: FakeSite, user: string, doctype: DocType, action: PermissionType) {
  const access = roleAccess(site, user, doctype, action);
  if (access === 'none') return () => false;
  const passes = controllerCheck(site, user, doctype.name, action);
  return (document: StoredDocument) => (access === 'all' || document.owner === user) && passes(document);
}

/** Names of the documents that somebody has shared with the user for this, or with everybody who is signed in. */
function sharedWith(site: FakeSite, user: string, doctype: DocType, action: PermissionType): ReadonlySet<string> {
  const right = action === 'select' ? 'read' : action;
  const isWithUser = (share: StoredDocument) => share.user === user || (share.everyone === 1 && user !== 'Guest');
  const shares = documentsOf(site, 'DocShare').filter(
    (share) => share.share_doctype === doctype.name && share[right] === 1 && isWithUser(share),
  );
  return new Set(shares.map(({ share_name }) => String(share_name)));
}

/** The DocType's own check, after the roles. */
function controllerCheck(
  site: FakeSite,
  user: string,
  doctype: string,
  action: PermissionType,
): (document: StoredDocument) => boolean {
  const everything = () => true;
  if (user === 'Administrator') return everything;
  switch (doctype) {
    case 'HD Ticket':
      return ticketCheck(site, user);
    case 'ToDo':
      if (rolesOf(site, user).has('System Manager')) return everything;
      return ({ allocated_to, assigned_by }) => [allocated_to, assigned_by].includes(user);
    case 'HD Customer': {
      if (isAgent(site, user) || rolesOf(site, user).has('Desk User')) return everything;
      // Members read it, and in everything but writing and deleting are let pass; those two take a manager.
      const own = memberships(site, user).filter(
        ({ row }) => row.is_manager === 1 || (action !== 'write' && action !== 'delete'),
      );
      return ({ name }) => own.some(({ customer }) => customer === name);
    }
    case 'User':
      return ({ name }) => name !== 'Administrator' && name !== 'Guest';
    default:
      return everything;
  }
}

/** Throws 403 unless the roles open the DocType. `list` errors carry a traceback, others do not. */
export function checkDoctype(
  site: FakeSite,
  user: string,
  doctype: DocType,
  action: PermissionType,
  list = false,
): void {
  if (!isOpen(site, user, doctype, action)) throw doctypeDenied(user, doctype.name, list);
}

/** Whether the user may do this with some document: by roles, or because one is shared with them. */
export function isOpen(site: FakeSite, user: string, doctype: DocType, action: PermissionType): boolean {
  return roleAccess(site, user, doctype, action) !== 'none' || sharedWith(site, user, doctype, action).size > 0;
}

/** Throws 403 unless the user may do this with this document. */
export function checkDocument(
  site: FakeSite,
  user: string,
  doctype: DocType,
  document: StoredDocument,
  action: PermissionType,
): void {
  checkDoctype(site, user, doctype, action);
  if (reach(site, user, doctype, action)(document)) return;
  if (roleAccess(site, user, doctype, action) === 'own' && document.owner !== user)
    throw doctypeDenied(user, doctype.name, false);
  throw documentDenied(user, doctype.name, document.name, action);
}

/**
 * Helpdesk's own check on a ticket (docs/helpdesk.md#permissions): senders and, depending on the generation, colleagues
 * of the same customer; agents, unless teams are kept apart.
 */
function ticketCheck(site: FakeSite, user: string): (ticket: StoredDocument) => boolean {
  const passes = isAgent(site, user) ? agentCheck(site, user) : customerCheck(site, user);
  return (ticket) => [ticket.contact, ticket.raised_by, ticket.owner].includes(user) || passes(ticket);
}

function agentCheck(site: FakeSite, user: string): (ticket: StoredDocument) => boolean {
  if (!site.settings.restrictTicketsByAgentGroup) return () => true;
  const teams = teamsOf(site, user);
  return (ticket) =>
    assignees(ticket).includes(user) ||
    teams.some((team) => team.ignore_restrictions === 1 || team.name === ticket.agent_group);
}

/** 1.28 opens a customer's tickets to its managers; before, to everybody whose Contact links to it. */
function customerCheck(site: FakeSite, user: string): (ticket: StoredDocument) => boolean {
  const customers =
    site.generation === '1.28'
      ? memberships(site, user).flatMap(({ customer, row }) => (row.is_manager === 1 ? [customer] : []))
      : contactsOf(site, user).flatMap((contact) => customersOfContact(site, contact.name));
  return ({ customer }) => Boolean(customer) && customers.includes(String(customer));
}

/** The users in `_assign`, which the database keeps as the text of a JSON array. */
function assignees(document: StoredDocument): string[] {
  return typeof document._assign === 'string' ? (JSON.parse(document._assign) as string[]) : [];
}

/**
 * All roles of a user: their own, the automatic ones, and in 1.28 those of the portal: the default one of whoever signs
 * up there, and those that membership in a customer brings.
 */
export function rolesOf(site: FakeSite, user: string): Set<string> {
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
export function isAgent(site: FakeSite, user: string): boolean {
  if (user === 'Administrator') return true;
  const roles = rolesOf(site, user);
  return roles.has('Agent') || roles.has('Agent Manager') || lookup(site, 'HD Agent', user) !== undefined;
}

/** Teams that list the user; a disabled team counts for nobody. */
export function teamsOf(site: FakeSite, user: string): StoredDocument[] {
  return documentsOf(site, 'HD Team')
    .filter((team) => team.disabled !== 1 && childRows(team, 'users').some((row) => row.user === user))
    .sort((left, right) => String(left.creation).localeCompare(String(right.creation)));
}

/** Contacts that are this user, by their `user` field or primary address. */
function contactsOf(site: FakeSite, user: string): StoredDocument[] {
  return documentsOf(site, 'Contact').filter((contact) => contact.user === user || contact.email_id === user);
}

interface Membership {
  customer: string;
  row: Record<string, unknown>;
}

/** By the customers that they were read from: every check asks for them, and few saves change them. */
const known = new WeakMap<
  readonly StoredDocument[],
  { contacts: readonly StoredDocument[]; byUser: Map<string, Membership[]> }
>();

/** Customers that list one of the user's contacts as a member (1.28). */
function memberships(site: FakeSite, user: string): Membership[] {
  const [customers, contacts] = [documentsOf(site, 'HD Customer'), documentsOf(site, 'Contact')];
  let kept = known.get(customers);
  if (kept?.contacts !== contacts) kept = { contacts, byUser: new Map() };
  known.set(customers, kept);
  const found = kept.byUser.get(user) ?? readMemberships(site, user);
  kept.byUser.set(user, found);
  return found;
}

function readMemberships(site: FakeSite, user: string): Membership[] {
  const contacts = new Set(contactsOf(site, user).map((contact) => contact.name));
  return documentsOf(site, 'HD Customer').flatMap((customer) =>
    childRows(customer, 'contacts')
      .filter((row) => contacts.has(String(row.contact_name)))
      .map((row) => ({ customer: customer.name, row })),
  );
}

/** Customers that a contact belongs to: by membership in 1.28, by its own links before. */
export function customersOfContact(site: FakeSite, contact: string): string[] {
  if (site.generation === '1.28') {
    return documentsOf(site, 'HD Customer')
      .filter((customer) => childRows(customer, 'contacts').some((row) => row.contact_name === contact))
      .map((customer) => customer.name);
  }
  return childRows(lookup(site, 'Contact', contact), 'links')
    .filter((row) => row.link_doctype === 'HD Customer')
    .map((row) => String(row.link_name));
}

export const portalRoles = ['HD Customer', 'HD Customer Manager'];
