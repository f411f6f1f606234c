import type { PermissionRow } from './permission-rows.ts';
import type { RoleRow } from './website-rights.ts';

/** A field of a DocType, custom or standard. */
export interface AdminField {
  fieldname: string;
  fieldtype: string;
  /** Options of a Select, one per line; '' if there are none. */
  options: string;
  /** The maximum length set for a text; 0 for the type's default. */
  length: number;
  permlevel: number;
  /** Name of the Custom Field document; null for a standard field. */
  customField: string | null;
}

/** The fields and role permissions of a DocType. */
export interface AdminDoctype {
  fields: ReadonlyMap<string, AdminField>;
  permissions: readonly RoleRow[];
}

export type AdminDocument = { name: string } & Record<string, unknown>;

/** Frappe's triples: field, operator, value. */
type AdminFilter = readonly [field: string, operator: string, value: unknown];

/**
 * The helpdesk as its administrator sees it, only for `provision` and `doctor`. Every method may throw HelpdeskError;
 * documents are in Frappe's own form.
 */
export interface HelpdeskAdmin {
  /**
   * Who the key belongs to, and their roles; Administrator counts as having every role. Throws `unauthenticated` if
   * nobody's.
   */
  caller(signal: AbortSignal): Promise<AdminCaller>;
  /** Null if the site has no such DocType. Only a System Manager sees which fields are custom ones. */
  doctype(name: string, signal: AbortSignal): Promise<AdminDoctype | null>;
  /** All rows that match the filters, oldest first. */
  list(
    doctype: string,
    query: { fields: readonly string[]; filters: readonly AdminFilter[] },
    signal: AbortSignal,
  ): Promise<AdminDocument[]>;
  /** One document with its child tables; null if there is none. */
  get(doctype: string, name: string, signal: AbortSignal): Promise<AdminDocument | null>;
  /** A stored secret in the clear, for comparison; null if none is set. System Managers only. */
  password(doctype: string, name: string, field: string, signal: AbortSignal): Promise<string | null>;
  /** Calls a whitelisted function or an API script by GET, and returns its message. */
  call(method: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  /** Creates a document and returns its name. */
  create(doctype: string, document: object, signal: AbortSignal): Promise<string>;
  /**
   * Creates a document that a script of ours rejects with a message that starts with `prefix`. Returns the rest of the
   * message, or the document's name if it was created anyway. Any other rejection is thrown.
   */
  createRefused(
    doctype: string,
    document: object,
    prefix: string,
    signal: AbortSignal,
  ): Promise<{ message: string } | { created: string }>;
  /** Writes the given fields of a document. */
  update(doctype: string, name: string, changes: object, signal: AbortSignal): Promise<void>;
  /** Deletes a document; harmless if it is gone. The helpdesk keeps a copy (docs/helpdesk.md#deleting). */
  remove(doctype: string, name: string, signal: AbortSignal): Promise<void>;
  /** Deletes a document and the copies that the helpdesk keeps of it. */
  erase(doctype: string, name: string, signal: AbortSignal): Promise<void>;
  /**
   * Adds a row of role permissions with nothing but read. Copies the standard rows first
   * (docs/helpdesk.md#permission-levels).
   */
  addRoleRow(row: { doctype: string; role: string; permlevel: number }, signal: AbortSignal): Promise<void>;
  /** Removes a row of role permissions. Standard rows are copied first, as with `addRoleRow`. */
  removeRoleRow(
    row: { doctype: string; role: string; permlevel: number; if_owner: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /** Brings the rows back that the DocType came with. */
  resetRoleRows(doctype: string, signal: AbortSignal): Promise<void>;
  /** The rows in force, and whether they are documents of the site's own, or still those that the DocType came with. */
  roleRows(
    doctype: string,
    signal: AbortSignal,
  ): Promise<{ inForce: PermissionRow[]; areOwn: boolean; standard: PermissionRow[] }>;
  /** Gives the DocType rows of the site's own if it has none: copies of those that it came with. */
  copyRoleRows(doctype: string, signal: AbortSignal): Promise<void>;
  /** Switches on one permission in such a row. */
  grant(row: { doctype: string; role: string; permlevel: number; right: string }, signal: AbortSignal): Promise<void>;
}

interface AdminCaller {
  user: string;
  hasRole(role: string): boolean;
}
