import { doctypeDenied, documentDenied } from '#helpdesk/errors.ts';
import type { Site } from '#helpdesk/site/site.ts';
import type { DocType, PermissionRow } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { isAgent, memberships, rolesOf } from './roles.ts';
import { mayAccessTicket } from './ticket-access.ts';

export type Action = 'read' | 'write' | 'create' | 'delete' | 'select';

function rowsFor(site: Site, user: string, doctype: DocType): PermissionRow[] {
  const roles = rolesOf(site, user);
  return doctype.permissions.filter((row) => roles.has(row.role));
}

/** For lists and the meta call: of a DocType that the site does not have, a 404 is said only to who may read DocTypes. */
export function listedDoctype(site: Site, user: string, name: string): DocType {
  const mayKnow = user === 'Administrator' || rolesOf(site, user).has('System Manager');
  if (site.metadata.find(name) === undefined && !mayKnow) throw doctypeDenied(user, 'DocType', false);
  return site.metadata.list(name);
}

/** What the roles allow on a DocType as a whole: everything, only one's own documents, or nothing. */
export function roleAccess(site: Site, user: string, doctype: DocType, action: Action): 'all' | 'own' | 'none' {
  if (user === 'Administrator') return 'all';
  const rows = rowsFor(site, user, doctype).filter((row) => (row.permlevel ?? 0) === 0 && row[action] === 1);
  if (rows.length === 0) return 'none';
  // Whoever may create may create: ownership limits only what is done with existing documents.
  return action === 'create' || rows.some((row) => row.if_owner !== 1) ? 'all' : 'own';
}

/** Field levels the user may read or write. Level 0 is always among them: the DocType itself was checked before. */
export function fieldLevels(site: Site, user: string, doctype: DocType, action: 'read' | 'write'): Set<number> {
  if (user === 'Administrator') return allLevels(doctype);
  const levels = new Set([0]);
  for (const row of rowsFor(site, user, doctype)) if (row[action] === 1) levels.add(row.permlevel ?? 0);
  return levels;
}

/** Every level that fields of this DocType have. */
export function allLevels(doctype: DocType): Set<number> {
  return new Set([0, ...doctype.fields.map((field) => field.permlevel ?? 0)]);
}

/** Whether a document is within the user's reach; the same rule filters lists and decides single documents. */
export function mayAccess(
  site: Site,
  user: string,
  doctype: DocType,
  document: StoredDocument,
  action: Action,
): boolean {
  const access = roleAccess(site, user, doctype, action);
  if (access === 'none' || (access === 'own' && document.owner !== user)) return false;
  if (user === 'Administrator') return true;
  switch (doctype.name) {
    case 'HD Ticket':
      return mayAccessTicket(site, user, document);
    case 'ToDo':
      return rolesOf(site, user).has('System Manager') || [document.allocated_to, document.assigned_by].includes(user);
    case 'HD Customer':
      return isDeskUser(site, user) || memberships(site, user).some(({ customer }) => customer === document.name);
    case 'User':
      return document.name !== 'Administrator' && document.name !== 'Guest';
    default:
      return true;
  }
}

/** Whether the user's roles open the DocType at all, if only for what they own. */
export function mayAccessSome(site: Site, user: string, doctype: DocType, action: Action): boolean {
  return roleAccess(site, user, doctype, action) !== 'none';
}

function isDeskUser(site: Site, user: string): boolean {
  return isAgent(site, user) || rolesOf(site, user).has('Desk User');
}

/** Throws 403 unless the roles open the DocType. `list` errors carry a traceback, others do not. */
export function checkDoctype(site: Site, user: string, doctype: DocType, action: Action, list = false): void {
  if (roleAccess(site, user, doctype, action) === 'none') throw doctypeDenied(user, doctype.name, list);
}

/** Throws 403 unless the user may do this with this document. */
export function checkDocument(
  site: Site,
  user: string,
  doctype: DocType,
  document: StoredDocument,
  action: Action,
): void {
  checkDoctype(site, user, doctype, action);
  if (roleAccess(site, user, doctype, action) === 'own' && document.owner !== user) {
    throw doctypeDenied(user, doctype.name, false);
  }
  if (!mayAccess(site, user, doctype, document, action)) {
    throw documentDenied(user, doctype.name, document.name, action);
  }
}
