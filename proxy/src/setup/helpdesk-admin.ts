/** A field of a DocType, custom or standard. */
export interface AdminField {
  fieldname: string;
  fieldtype: string;
  /** Choices of a Select, one a line; '' where there are none. */
  options: string;
  permlevel: number;
  /** Whether the form lets nobody edit it. The server does not enforce this (facts/live.md 1.3). */
  readOnly: boolean;
  /** Name of the Custom Field document; null for a standard field. */
  customField: string | null;
}

/** One row of a DocType's role permissions, as it counts now. */
export interface RoleRow {
  role: string;
  permlevel: number;
  ifOwner: boolean;
  read: boolean;
  write: boolean;
  create: boolean;
}

/** The fields and role permissions of a DocType. */
export interface AdminDoctype {
  fields: ReadonlyMap<string, AdminField>;
  permissions: readonly RoleRow[];
}

export type AdminDocument = { name: string } & Record<string, unknown>;

/** Frappe's triples: field, operator, value. */
export type AdminFilter = readonly [field: string, operator: string, value: unknown];

/**
 * The helpdesk as its administrator sees it, for `provision` and `doctor` alone. Every method may throw HelpdeskError;
 * documents are Frappe's own.
 */
export interface HelpdeskAdmin {
  /** Whose key this is, and his roles; Administrator counts as having every role. Throws `unauthenticated` for nobody's. */
  caller(signal: AbortSignal): Promise<AdminCaller>;
  /** Null where the site has no such DocType. Which fields are custom ones only a System Manager is told. */
  doctype(name: string, signal: AbortSignal): Promise<AdminDoctype | null>;
  /** All rows that the filters leave, oldest first. */
  list(
    doctype: string,
    query: { fields: readonly string[]; filters: readonly AdminFilter[] },
    signal: AbortSignal,
  ): Promise<AdminDocument[]>;
  /** One document with its child tables; null where there is none. */
  get(doctype: string, name: string, signal: AbortSignal): Promise<AdminDocument | null>;
  /** A stored secret in the clear, for comparing; null where none is set. System Managers only. */
  password(doctype: string, name: string, field: string, signal: AbortSignal): Promise<string | null>;
  /** Calls a whitelisted function or an API script by GET, and gives its message. */
  call(method: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  /** Creates a document and gives the name it got. */
  create(doctype: string, document: object, signal: AbortSignal): Promise<string>;
  /** Writes the given fields of a document. */
  update(doctype: string, name: string, changes: object, signal: AbortSignal): Promise<void>;
  /** Deletes a document; harmless where it is gone. */
  remove(doctype: string, name: string, signal: AbortSignal): Promise<void>;
  /** Adds a row of role permissions, empty but for reading. Copies the standard rows first (facts/live.md 1.3). */
  addRoleRow(row: { doctype: string; role: string; permlevel: number }, signal: AbortSignal): Promise<void>;
  /** Switches one right of such a row on. */
  grant(row: { doctype: string; role: string; permlevel: number; right: string }, signal: AbortSignal): Promise<void>;
}

export interface AdminCaller {
  user: string;
  hasRole(role: string): boolean;
}
