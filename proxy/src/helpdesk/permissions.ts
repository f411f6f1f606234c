import * as z from 'zod';
import type { Reader, Readings } from '#runtime/memory.ts';
import { HelpdeskError, noSuch } from './errors.ts';
import { customerFieldOf } from './fields.ts';
import { among, type Frappe, NamedDocument, PermissionRow, readDoctypeMeta, rights } from './frappe.ts';
import type { People } from './people.ts';
import { type Credential, type Site, SitePart } from './site.ts';

// The rows of role permissions of a DocType, and what they let website users do.

export const RowChange = z.object({ before: PermissionRow.nullable(), after: PermissionRow.nullable() });

/** A row before and after a change; null where there is none. One of the two is there. */
export type RowChange = z.output<typeof RowChange>;

/** Every right of the row as Frappe's own fields, those that it does not give as well. */
export function flagsOf(row: PermissionRow): Record<string, 0 | 1> {
  return Object.fromEntries(rights.map((right) => [right, row.rights.includes(right) ? 1 : 0]));
}

/** Frappe has one row for a role, a level, and whether it is about one's own documents. */
export const isSameRow = (one: PermissionRow, other: PermissionRow): boolean =>
  one.role === other.role && one.permlevel === other.permlevel && one.if_owner === other.if_owner;

/** Whether both are the same row with the same rights, or both are absent. */
export function areEqual(one: PermissionRow | null, other: PermissionRow | null): boolean {
  if (one === null || other === null) return one === other;
  return isSameRow(one, other) && String(one.rights) === String(other.rights);
}

/** The row as a person reads it. */
export function describeRow(row: PermissionRow | null): string {
  if (row === null) return 'no row';
  return `${row.rights.join(', ')}${row.if_owner ? ' (own documents only)' : ''}`;
}

/**
 * The rights that no website user should have (decision 8: desk rights): a Contact opens tickets to whoever it is named
 * like, a share goes over every other right, and a mail may have a link by which anybody reads the document as it is then.
 */
export const takenRights = {
  Contact: ['create', 'write', 'delete'],
  'HD Ticket': ['share', 'email'],
  'HD Customer': ['share', 'email'],
} as const satisfies Record<string, readonly PermissionRow['rights'][number][]>;

type ClosedDoctype = keyof typeof takenRights;

/**
 * Takes those rights from the roles of website users; what else they may they go on doing. Everybody of the desk has those of the
 * role All as well, and keeps them by a row of the desk's own.
 *
 * @param rows all rows of the DocType in force
 */
export function closeToWebsite(
  doctype: ClosedDoctype,
  rows: readonly PermissionRow[],
  deskRoles: ReadonlySet<string>,
): RowChange[] {
  const open = openRows(doctype, rows, deskRoles);
  // From Frappe 15; before, the desk had no role in common.
  const everybodyOfTheDesk = deskRoles.has('Desk User') ? ['Desk User'] : ['Agent', 'Agent Manager'];
  const kept = new Set<string>(['read', ...takenRights[doctype]]);
  const moved = open
    .filter(({ role }) => role === 'All')
    .flatMap((row) =>
      everybodyOfTheDesk.map((role) => ({ ...row, role, rights: row.rights.filter((right) => kept.has(right)) })),
    );
  return [...moved.flatMap((row) => giving(rows, row)), ...open.map((row) => taking(doctype, row))];
}

/** The rows by which website users have those rights. */
function openRows(
  doctype: ClosedDoctype,
  rows: readonly PermissionRow[],
  deskRoles: ReadonlySet<string>,
): PermissionRow[] {
  const website = rows.filter(({ role }) => role !== 'Administrator' && !isDeskRole(role, deskRoles));
  return website.filter((row) => row.permlevel === 0 && gives(row, takenRights[doctype]));
}

/** Whether the row gives one of the rights. */
function gives(row: PermissionRow, some: readonly PermissionRow['rights'][number][]): boolean {
  return some.some((right) => row.rights.includes(right));
}

/** Gives every role of the desk at level 1 what it may read and write at level 0. */
export function openLevel1ToDesk(rows: readonly PermissionRow[], deskRoles: ReadonlySet<string>): RowChange[] {
  const staff = rows.filter(
    ({ role, permlevel }) => permlevel === 0 && role !== 'Administrator' && isDeskRole(role, deskRoles),
  );
  return [...new Set(staff.map(({ role }) => role))].flatMap((role) => {
    const heldRights = staff.filter((row) => row.role === role).flatMap((row) => row.rights);
    const writes = heldRights.includes('write') || heldRights.includes('create');
    return giving(rows, { role, permlevel: 1, if_owner: false, rights: writes ? ['read', 'write'] : ['read'] });
  });
}

/** What a role lacks of a row, as a change; nothing if it has all of that. */
function giving(rows: readonly PermissionRow[], wanted: PermissionRow): RowChange[] {
  const before = rows.find((row) => isSameRow(row, wanted)) ?? null;
  const after = {
    ...wanted,
    rights: rights.filter((one) => [...wanted.rights, ...(before?.rights ?? [])].includes(one)),
  };
  return areEqual(before, after) ? [] : [{ before, after }];
}

/** Frappe refuses a row that allows nothing. */
function taking(doctype: ClosedDoctype, before: PermissionRow): RowChange {
  const left = before.rights.filter((right) => !takenRights[doctype].some((one) => one === right));
  return { before, after: gives({ ...before, rights: left }, basic) ? { ...before, rights: left } : null };
}

const basic = ['select', 'read', 'write', 'create'] as const;

/**
 * Standard rows that a release has changed since they were noted, and that the site's own rows do not follow; what website
 * users should not have is not missed.
 */
export function hiddenRows(
  doctype: ClosedDoctype,
  { noted, standard, inForce }: Record<'noted' | 'standard' | 'inForce', readonly PermissionRow[]>,
  deskRoles: ReadonlySet<string>,
): RowChange[] {
  const rowIn = (rows: readonly PermissionRow[], wanted: PermissionRow) =>
    rows.find((row) => isSameRow(row, wanted)) ?? null;
  const gone = noted.filter((row) => rowIn(standard, row) === null);
  return [...standard, ...gone].flatMap((row) => {
    const [before, after, own] = [rowIn(noted, row), rowIn(standard, row), rowIn(inForce, row)];
    const wanted = after && openRows(doctype, [after], deskRoles).length > 0 ? taking(doctype, after).after : after;
    const isFollowed = wanted === null ? own === null : wanted.rights.every((right) => own?.rights.includes(right));
    return areEqual(before, after) || isFollowed ? [] : [{ before, after }];
  });
}

/** Whether both give the same rights to the same roles, in whatever order. */
export function haveSameRows(some: readonly PermissionRow[], others: readonly PermissionRow[]): boolean {
  return some.length === others.length && some.every((row) => others.some((other) => areEqual(row, other)));
}

/** Roles that everyone has, whatever their own record says about desk access. */
const everybodys = ['All', 'Guest'];

/**
 * Roles through which a website user, who may be anyone, can set a field of this level: by creating a document or by
 * writing one. Empty if the level is closed to all of them. A role without known desk access can be a website user's,
 * who may have several roles.
 *
 * @param deskRoles roles that make their holders system users (docs/helpdesk.md#permissions)
 */
export function websiteRolesThatSet(
  rows: readonly PermissionRow[],
  level: number,
  deskRoles: ReadonlySet<string>,
): string[] {
  const website = rows.filter(({ role }) => role !== 'Administrator' && !isDeskRole(role, deskRoles));
  const documents = website.filter((row) => row.permlevel === 0 && gives(row, ['write', 'create']));
  const fields = level === 0 ? documents : website.filter((row) => row.permlevel === level && gives(row, ['write']));
  return documents.length === 0 ? [] : [...new Set(fields.map(({ role }) => role))];
}

/** Roles through which a website user has what none should have, for their own documents at least. */
export function openWebsiteRoles(
  doctype: ClosedDoctype,
  rows: readonly PermissionRow[],
  deskRoles: ReadonlySet<string>,
): string[] {
  return [...new Set(openRows(doctype, rows, deskRoles).map(({ role }) => role))];
}

/** Whether only the site's own staff can have the role. */
function isDeskRole(role: string, deskRoles: ReadonlySet<string>): boolean {
  return deskRoles.has(role) && !everybodys.includes(role);
}

/** Stands for whoever is signed in, where a share is for no account in particular. */
export const everyone = 'everyone';

const Shares = z.object({
  message: z.array(z.object({ user: z.string().nullish(), everyone: z.union([z.number(), z.boolean()]).nullish() })),
});
const MemberRow = z.object({ name: z.string(), contact: z.string().nullish() });
const ContactRow = z.object({ name: z.string(), user: z.string().nullish(), email_id: z.string().nullish() });

const Permission = z.object({ message: z.object({ has_permission: z.boolean() }) });
const OwnedRow = z.object({ name: z.string(), owner: z.string(), manages: z.unknown().optional() });

const forTenMinutes = { ttlMs: 10 * 60_000, max: 10 };
/** More members than say anything; bounds the size of a response. */
const maxRows = 500;

/** Who may do what, according to the helpdesk: callers, asked with their own credentials, and website users by their roles. */
export class Rights extends SitePart {
  private readonly people: People;
  private readonly closed = this.site.memory.readings<boolean>(forTenMinutes);
  private readonly unshared = this.site.memory.readings<{ since: string | null }>(forTenMinutes);

  constructor(site: Site, people: People) {
    super(site);
    this.people = people;
  }

  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may write the document of exactly this name. */
  async requireWrite(
    doctype: 'HD Ticket' | 'HD Customer',
    name: string,
    caller: Credential,
    signal: AbortSignal,
  ): Promise<void> {
    const frappe = this.site.as(caller);
    // Asked about `2abc`, older versions answer for ticket 2 (docs/helpdesk.md#names), so the name is read as well.
    const asked = { doctype, docname: name, perm_type: 'write' };
    const byName = { fields: ['name'], filters: [['name', '=', name]], limit: 1 };
    const [permission, [row]] = await Promise.all([
      frappe.call('frappe.client.has_permission', asked, Permission, signal),
      frappe.list(doctype, byName, NamedDocument, signal),
    ]);
    if (row !== undefined && row.name !== name) throw noSuch(doctype);
    if (row === undefined || !permission.message.has_permission)
      throw frappe.forbidden(`The caller may not write the ${doctype}.`);
  }

  /** As the caller: throws `forbidden` or `unauthenticated` unless their roles let them write customers. */
  async requireCustomersWrite(caller: Credential, signal: AbortSignal): Promise<void> {
    const frappe = this.site.as(caller);
    const asked = { doctype: 'HD Customer', docname: '', perm_type: 'write' };
    const { message } = await frappe.call('frappe.client.has_permission', asked, Permission, signal);
    if (!message.has_permission) throw frappe.forbidden('The caller may not write HD Customer.');
  }

  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may read the customer. */
  async requireCustomerRead(caller: Credential, customer: string, signal: AbortSignal): Promise<void> {
    const found = await this.site.as(caller).get('HD Customer', customer, NamedDocument, signal);
    if (found.name !== customer) throw noSuch('HD Customer');
  }

  /**
   * Whether the site's permissions keep every website user from setting a customer's CRM id. Also false if that cannot
   * be determined. Cached for ten minutes; throws only the signal's reason.
   */
  crmIdIsProtected(signal: AbortSignal): Promise<boolean> {
    return this.isClosed(customerFieldOf.crmCompanyId, signal);
  }

  /**
   * Whether no website user may write or rename this customer. Where a role of theirs may write customers at all, the
   * helpdesk lets in who manages this one on the portal (docs/helpdesk.md#permissions), and who made it. Also false if that
   * cannot be determined.
   */
  async isDeskOnly(customer: string, signal: AbortSignal): Promise<boolean> {
    if (await this.isClosed(null, signal)) return true;
    const fields = await this.site.knownFields(signal);
    if (!fields.has('HD Customer', 'contacts')) return false;
    const query = {
      fields: ['name', 'owner', 'contacts.is_manager as manages'],
      filters: [['name', '=', customer]],
      limit: maxRows,
    };
    const found = await this.site.service.list('HD Customer', query, OwnedRow, signal);
    const rows = found.filter(({ name }) => name === customer);
    const [first] = rows;
    if (first === undefined || rows.length === maxRows || rows.some(({ manages }) => manages === 1)) return false;
    const owner = first.owner.toLowerCase();
    if (owner === (await this.people.serviceUser(signal)).toLowerCase()) return true;
    return (await this.people.deskAmong(new Set([owner]), signal)).has(owner);
  }

  /**
   * Whether somebody outside may hold a share of this ticket: of what was made since no website user may share
   * (decision 8: desk rights) nobody does, but by the desk's own doing. Also true if that cannot be determined. Throws
   * only the signal's reason.
   */
  async mayBeShared({ creation }: { creation: string }, signal: AbortSignal): Promise<boolean> {
    const doctype = 'HD Ticket';
    const read = async (within: AbortSignal) => ({ since: await unsharedSince(this.site.account, doctype, within) });
    const cautious = { doctype, otherwise: { since: null } };
    const { since } = await this.byPermissions(this.unshared, doctype, read, cautious, signal);
    return since === null || creation < since;
  }

  /** The accounts that a document is shared with, in lower case, as the helpdesk tells its readers. Throws HelpdeskError. */
  async sharedWith(doctype: 'HD Ticket' | 'HD Customer', name: string, signal: AbortSignal): Promise<string[]> {
    const method = 'frappe.share.get_users';
    const { message } = await this.site.service.call(method, { doctype, name }, Shares, signal);
    return message.flatMap((share) => (share.everyone ? everyone : share.user?.trim().toLowerCase() || []));
  }

  /**
   * The website accounts of a customer's members (docs/helpdesk.md#contacts): by the customer's own list, before 1.28 by the links
   * of Contacts. Throws HelpdeskError.
   */
  async websiteMembers(customer: string, signal: AbortSignal): Promise<string[]> {
    const { service } = this.site;
    const fields = ['name', 'user', 'email_id'];
    const contacts = async (filters: unknown[][]) =>
      service.list('Contact', { fields, filters, limit: 0 }, ContactRow, signal);
    const known = await this.site.knownFields(signal);
    const found = known.has('HD Customer', 'contacts')
      ? await among(await this.memberContacts(customer, signal), (some) => contacts([['name', 'in', some]]))
      : await contacts([
          ['Dynamic Link', 'link_doctype', '=', 'HD Customer'],
          ['Dynamic Link', 'link_name', '=', customer],
        ]);
    const accounts = found.flatMap(({ user, email_id }) => [user, email_id].flatMap((one) => one?.toLowerCase() || []));
    const website = await this.people.websiteAmong(new Set(accounts), signal);
    return [...website];
  }

  private async memberContacts(customer: string, signal: AbortSignal): Promise<string[]> {
    const query = {
      fields: ['name', 'contacts.contact_name as contact'],
      filters: [['name', '=', customer]],
      limit: 0,
    };
    const rows = await this.site.service.list('HD Customer', query, MemberRow, signal);
    return rows.flatMap(({ name, contact }) => (name === customer && contact ? [contact] : []));
  }

  /**
   * Judges from the current permissions whether website users may set a field of HD Customer or, with null, create or
   * write one at all.
   */
  private isClosed(fieldname: string | null, signal: AbortSignal): Promise<boolean> {
    const read = (within: AbortSignal) => isClosedToWebsite(this.site.account, 'HD Customer', fieldname, within);
    const cautious = { doctype: 'HD Customer', otherwise: false };
    return this.byPermissions(this.closed, fieldname ?? '', read, cautious, signal);
  }

  /** Two requests, whose result is kept, even if it could not be determined, unless the helpdesk did not answer at all. */
  private async byPermissions<T extends NonNullable<unknown>>(
    kept: Readings<T>,
    key: string,
    read: Reader<T>,
    { doctype, otherwise }: { doctype: string; otherwise: T },
    signal: AbortSignal,
  ): Promise<T> {
    const readOrNot = (within: AbortSignal) =>
      read(within).catch((error: unknown) => {
        if (!(error instanceof HelpdeskError) || !isAnswer(error)) throw error;
        this.site.logger.warn(
          { doctype, kind: error.kind },
          'The permissions on these records cannot be read, so nothing that a sender could write in them counts as proof',
        );
        return otherwise;
      });
    return kept.get(key, readOrNot, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
      if (error instanceof HelpdeskError || isTimeout) return otherwise;
      throw error;
    });
  }
}

/** Whether the helpdesk answered; it may not have been reached. */
function isAnswer({ kind }: HelpdeskError): boolean {
  return kind !== 'unavailable' && kind !== 'timeout';
}

/** Whether no website user may set the field or, if none is named, create or write documents at all. Throws HelpdeskError. */
export async function isClosedToWebsite(
  frappe: Frappe,
  doctype: string,
  fieldname: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const { meta, deskRoles } = await readRows(frappe, doctype, signal);
  const level = fieldname === null ? 0 : meta.fields.find((field) => field.fieldname === fieldname)?.permlevel;
  if (level === undefined) return false;
  return websiteRolesThatSet(meta.permissions, level, deskRoles).length === 0;
}

/** Since when no website user may share documents of this kind, in the helpdesk's own time; null: they may. */
async function unsharedSince(frappe: Frappe, doctype: ClosedDoctype, signal: AbortSignal): Promise<string | null> {
  const { meta, deskRoles } = await readRows(frappe, doctype, signal);
  return openWebsiteRoles(doctype, meta.permissions, deskRoles).length === 0 ? meta.permissionsSince : null;
}

async function readRows(frappe: Frappe, doctype: string, signal: AbortSignal) {
  // Roles with desk access: having one makes a user a system user. Agent Managers may list them (docs/helpdesk.md#permissions).
  const withAccess = { fields: ['name'], filters: [['desk_access', '=', 1]], limit: 0 };
  const [meta, deskRoles] = await Promise.all([
    readDoctypeMeta(frappe, doctype, signal),
    frappe.list('Role', withAccess, NamedDocument, signal),
  ]);
  return { meta, deskRoles: new Set(deskRoles.map(({ name }) => name)) };
}
