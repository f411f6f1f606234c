import * as z from 'zod';
import type { Upstream } from '#net/egress.ts';
import { HelpdeskError, unless } from './errors.ts';
import { DocumentName, Frappe, NamedDocument, type PermissionRow, permissionRowOf, readDoctypeMeta } from './frappe.ts';
import { whyPartial } from './sight.ts';
import type { SiteField } from './values.ts';

const CustomField = z.object({ name: DocumentName, fieldname: z.string() });
const permissionManager = 'frappe.core.page.permission_manager.permission_manager';

const Document = z.looseObject({ name: DocumentName });
const Rows = z.object({ message: z.array(z.record(z.string(), z.unknown())) });
const Text = z.object({ message: z.string() });
const User = z.object({ message: z.object({ roles: z.array(z.object({ role: z.string() })).optional() }) });

/** A field of a DocType; `customField`: the name of its own document, null for a standard field. */
export interface AdminField extends SiteField {
  customField: string | null;
}

/** The fields and role permissions of a DocType. */
export interface AdminDoctype {
  fields: ReadonlyMap<string, AdminField>;
  permissions: readonly PermissionRow[];
  /** Whether whoever may write a document may rename it. */
  isRenamable: boolean;
}

/** A document in Frappe's own form. */
export type AdminDocument = { name: string } & Record<string, unknown>;

/** Flags are 0 or 1, or absent if the site has no such field. */
export const isOn = (value: unknown): boolean => value === 1 || value === true || value === '1';

/** Text of a field; '' if unset. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One column of a child table. */
export function column(rows: unknown, field: string): string[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: Record<string, unknown> | null) => textOf(row?.[field]) || []);
}

interface Query {
  fields: readonly string[];
  /** Frappe's triples: field, operator, value. */
  filters: readonly (readonly [field: string, operator: string, value: unknown])[];
}

/**
 * The helpdesk as its administrator sees it, only for `provision`, `init` and `doctor`: Frappe's REST API with a key of theirs,
 * or of another account and then limited to what that may do. Every method may throw HelpdeskError, which names what was tried
 * and the kind of Frappe's refusal, never its texts: these may contain tracebacks and secrets (docs/helpdesk.md#reading).
 */
export class HelpdeskAdmin {
  private readonly client: Frappe;
  private readonly signal: AbortSignal;

  /**
   * @param key `key:secret`
   * @param signal ends what is asked; by default nothing does but the longest wait for one response
   */
  constructor(upstream: Upstream, key: string, signal = new AbortController().signal) {
    this.client = new Frappe(upstream, `token ${key}`);
    this.signal = signal;
  }

  /**
   * Who the key belongs to, and their roles; Administrator counts as having every role. Throws `unauthenticated` if
   * nobody's.
   */
  async caller(): Promise<{ user: string; hasRole(role: string): boolean }> {
    const { message: user } = await this.client
      .call('frappe.auth.get_logged_user', {}, Text, this.signal)
      // A malformed key is treated as a guest's (docs/helpdesk.md#credentials).
      .catch(unless(['forbidden'], { message: 'Guest' }));
    if (user === 'Guest') throw new HelpdeskError('unauthenticated', 'The helpdesk treats the key as that of a guest.');
    if (user === 'Administrator') return { user, hasRole: () => true };
    const { message } = await this.client
      .call('frappe.client.get', { doctype: 'User', name: user }, User, this.signal)
      // An account that may not read its own roles is not a System Manager.
      .catch(unless<z.output<typeof User>>(['forbidden'], { message: {} }));
    return { user, hasRole: (wanted) => message.roles?.some(({ role }) => role === wanted) ?? false };
  }

  /** Null if the site has no such DocType. Only a System Manager sees which fields are custom ones. */
  doctype(name: string): Promise<AdminDoctype | null> {
    return readAdminDoctype(this.client, name, this.signal);
  }

  /** All rows that match the filters, oldest first. */
  async list(doctype: string, query: Query): Promise<AdminDocument[]> {
    const rows = { ...query, orderBy: 'creation asc, name asc', limit: 0 };
    return (await this.client.list(doctype, rows, Document, this.signal)) as AdminDocument[];
  }

  /** One document with its child tables; null if there is none. */
  async get(doctype: string, name: string): Promise<AdminDocument | null> {
    const schema = z.object({ message: Document });
    const found = await this.client
      .call('frappe.client.get', { doctype, name }, schema, this.signal)
      .catch(unless(['not_found'], null));
    // The database ignores case; a document with other case is a different one.
    return found?.message.name === name ? (found.message as AdminDocument) : null;
  }

  /** A stored secret in the clear, for comparison; null if none is set. System Managers only. */
  async password(doctype: string, name: string, fieldname: string): Promise<string | null> {
    const found = await this.client
      .call('frappe.client.get_password', { doctype, name, fieldname }, Text, this.signal)
      // An unset secret gets the same answer as a wrong key (docs/helpdesk.md#credentials).
      .catch(unless(['unauthenticated'], null));
    return found?.message ?? null;
  }

  /** Why this account may not see some tickets; null if it sees them all. */
  whyPartial() {
    return whyPartial(this.client, this.signal);
  }

  /** Calls a whitelisted function or an API script by GET, and returns its message. */
  async call(method: string, args: Record<string, string>): Promise<unknown> {
    return (await this.client.call(method, args, z.object({ message: z.unknown() }), this.signal)).message;
  }

  /** Creates a document and returns its name. */
  async create(doctype: string, document: object): Promise<string> {
    return (await this.client.create(doctype, document, NamedDocument, this.signal)).name;
  }

  /** Writes the given fields of a document. */
  async update(doctype: string, name: string, changes: object): Promise<void> {
    await this.client.update(doctype, name, changes, NamedDocument, this.signal);
  }

  /** Deletes a document; harmless if it is gone. The helpdesk keeps a copy (docs/helpdesk.md#writing). */
  async remove(doctype: string, name: string): Promise<void> {
    const deleting = this.client.run('frappe.client.delete', { doctype, name }, z.unknown(), this.signal);
    await deleting.catch(unless(['not_found'], null));
  }

  /** Deletes a document and the copies that the helpdesk keeps of it. */
  async erase(doctype: string, name: string): Promise<void> {
    await this.remove(doctype, name);
    const filters = [
      ['deleted_doctype', '=', doctype],
      ['deleted_name', '=', name],
    ];
    const query = { fields: ['name'], filters, limit: 0 };
    const kept = await this.client.list('Deleted Document', query, NamedDocument, this.signal);
    for (const { name: record } of kept) await this.remove('Deleted Document', record);
  }

  /** Removes a row of role permissions. Frappe copies the standard rows first (docs/helpdesk.md#permission-levels). */
  async removeRoleRow(row: { doctype: string; role: string; permlevel: number; if_owner: boolean }): Promise<void> {
    const args = { ...row, if_owner: Number(row.if_owner) };
    await this.client.run(`${permissionManager}.remove`, args, z.unknown(), this.signal);
  }

  /** Brings the rows back that the DocType came with. */
  async resetRoleRows(doctype: string): Promise<void> {
    await this.client.run(`${permissionManager}.reset`, { doctype }, z.unknown(), this.signal);
  }

  /** The rows in force, and whether they are documents of the site's own, or still those that the DocType came with. */
  async roleRows(doctype: string): Promise<{ inForce: PermissionRow[]; areOwn: boolean; standard: PermissionRow[] }> {
    const query = { fields: ['*'], filters: [['parent', '=', doctype]], limit: 0 };
    const [sitesRows, { message }] = await Promise.all([
      this.client.list('Custom DocPerm', query, Document, this.signal),
      this.client.call(`${permissionManager}.get_standard_permissions`, { doctype }, Rows, this.signal),
    ]);
    const standard = message.map(permissionRowOf);
    const areOwn = sitesRows.length > 0;
    return { inForce: areOwn ? sitesRows.map(permissionRowOf) : standard, areOwn, standard };
  }

  /** Gives the DocType rows of the site's own if it has none: copies of those that it came with. */
  async copyRoleRows(doctype: string): Promise<void> {
    const { inForce, areOwn } = await this.roleRows(doctype);
    const row = inForce.find(({ rights }) => rights.includes('read'));
    if (areOwn || row === undefined) return;
    // Frappe copies the rows before it changes one of them; this one stays as it is.
    const { role, permlevel, if_owner } = row;
    const args = { doctype, role, permlevel, if_owner: Number(if_owner), ptype: 'read', value: 1 };
    await this.client.run(`${permissionManager}.update`, args, z.unknown(), this.signal);
  }
}

/**
 * Reads a DocType with all of the site's customisations, and which of its fields are documents of their own. Null if
 * the site has none of this name. To accounts that may not list Custom Field, no field appears to be custom.
 */
async function readAdminDoctype(client: Frappe, name: string, signal: AbortSignal): Promise<AdminDoctype | null> {
  const custom = { fields: ['name', 'fieldname'], filters: [['dt', '=', name]], limit: 0 };
  const [meta, documents] = await Promise.all([
    readDoctypeMeta(client, name, signal).catch(unless(['not_found'], null)),
    client.list('Custom Field', custom, CustomField, signal).catch(unless(['forbidden'], [])),
  ]);
  if (meta === null) return null;
  const documentOf = new Map(documents.map((row) => [row.fieldname, row.name]));
  const fields = meta.fields.map(
    (field) => [field.fieldname, { ...field, customField: documentOf.get(field.fieldname) ?? null }] as const,
  );
  return { fields: new Map(fields), permissions: meta.permissions, isRenamable: meta.isRenamable };
}

// What a site has set up of its own that gets in the way of our writes, for `doctor`. Nothing here writes.

/** What Deskside gives a new customer in any case. */
const givenToCustomers: ReadonlySet<string> = new Set(['customer_name']);

/** Labels of the fields without which the helpdesk takes no customer, and that Deskside does not fill. */
export function neededByCustomers(fields: Iterable<Pick<SiteField, 'fieldname' | 'label' | 'required' | 'default'>>) {
  return [...fields]
    .filter((field) => field.required && field.default === '' && !givenToCustomers.has(field.fieldname))
    .map(({ fieldname, label }) => label || fieldname);
}

/** Something of the site's that changes tickets by itself. */
export interface Automation {
  /** In the helpdesk's words. */
  kind: 'Automation Flow' | 'Assignment Rule' | 'Server Script';
  name: string;
  /** Whether its text names the group, or it assigns. */
  routes: boolean;
}

const kinds = ['Automation Flow', 'Assignment Rule', 'Server Script'] as const;
const assigns = /agent_group|AssignToUser|assign_to/;

/**
 * What is enabled on this site and works on tickets: flows of the automation engine (frappe/frappe#41976, which no release
 * here has), native assignment rules, server scripts. A kind that the site does not have, or does not show, has none.
 * Throws HelpdeskError.
 */
export async function automationsOnTickets(helpdesk: Pick<HelpdeskAdmin, 'list'>): Promise<Automation[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const rows = await helpdesk.list(kind, { fields: ['*'], filters: [] }).catch(noneIfAbsent);
      return rows.filter(isOnTickets).map((row) => ({
        kind,
        name: row.name,
        routes: kind === 'Assignment Rule' || assigns.test(JSON.stringify(row)),
      }));
    }),
  );
  return found.flat();
}

/** The engine's fields are not released: whichever of them names the DocType counts. */
function isOnTickets(row: AdminDocument): boolean {
  const isOff = row.disabled === 1 || row.enabled === 0;
  return !isOff && Object.values(row).includes('HD Ticket');
}

function noneIfAbsent(error: unknown): AdminDocument[] {
  const isAbsent =
    error instanceof HelpdeskError &&
    (['not_found', 'forbidden', 'rejected'].includes(error.kind) || error.excType === 'ImportError');
  if (isAbsent) return [];
  throw error;
}
