import { fieldLevels, roleAccess } from '#helpdesk/access/permissions.ts';
import { doctypeDenied, fieldNotPermitted } from '#helpdesk/errors.ts';
import { childRows, type FakeSite } from '#helpdesk/site/site.ts';
import { type DocType, type Field, hasNumericNames, isNumber, isStored, isTable } from '#helpdesk/store/doctype.ts';
import { columnValue, wireName } from '#helpdesk/store/serialise.ts';
import { hiddenColumns, type StoredDocument, standardColumns } from '#helpdesk/store/store.ts';
import type { ColumnKind } from './filters.ts';

/** One column of a list call, resolved against the site's fields. */
export interface Column {
  /** Key in the answer. */
  label: string;
  kind: ColumnKind;
  /** Table field that multiplies rows, where the column is a child's. */
  table?: string;
  /** DocType whose table has to be joined for it. */
  joins?: string;
  read(document: StoredDocument, child: Record<string, unknown> | undefined): unknown;
  /** Above the reader's permission level: dropped without a word. */
  hidden: boolean;
}

const plainColumns = new Set<string>([...standardColumns, ...hiddenColumns]);
const notation = /^(?:`?tab([^`.]+)`?\.)?`?(\w+)`?(?:\.`?(\w+)`?)?(?:\s+as\s+[`'"]?([^`'"]+?)[`'"]?)?$/i;

/**
 * Resolves `field`, `field as alias`, `` `tabX`.`field` ``, `link.field` (a left join on the linked DocType, which the
 * caller must be allowed to read) and `table.field` (one row per child). Throws 417 for what does not exist.
 */
export function resolveColumn(site: FakeSite, user: string, doctype: DocType, text: string): Column {
  const match = notation.exec(text.trim());
  if (match === null) throw fieldNotPermitted(text);
  const [, table, first = '', second, alias] = match;
  if (table !== undefined && table !== doctype.name) throw fieldNotPermitted(text);
  if (second === undefined) return { ...ownColumn(site, user, doctype, first), ...(alias ? { label: alias } : {}) };
  return { ...joinedColumn(site, user, doctype, first, second), label: alias ?? second };
}

/** Whether a DocType's table has a column of this name. */
export function hasColumn(doctype: DocType, name: string): boolean {
  return (
    plainColumns.has(name) || doctype.fields.some((one) => one.fieldname === name && isStored(one) && !isTable(one))
  );
}

/** All columns for `*`: the standard ones and every field that a table column holds. */
export function allColumns(site: FakeSite, user: string, doctype: DocType): Column[] {
  const fields = doctype.fields.filter((field) => isStored(field) && !isTable(field)).map((field) => field.fieldname);
  return [...standardColumns, ...fields].map((name) => ownColumn(site, user, doctype, name));
}

function ownColumn(site: FakeSite, user: string, doctype: DocType, name: string): Column {
  if (plainColumns.has(name)) {
    const read = (document: StoredDocument): unknown =>
      name === 'name' ? wireName(doctype, document.name) : (document[name] ?? null);
    return { label: name, kind: standardKind(doctype, name), read, hidden: false };
  }
  const field = doctype.fields.find((candidate) => candidate.fieldname === name);
  if (field === undefined || isTable(field) || !isStored(field)) throw fieldNotPermitted(name);
  const hidden = !fieldLevels(site, user, doctype, 'read').has(field.permlevel ?? 0);
  return { label: name, kind: kindOf(field), read: (document) => columnValue(field, document), hidden };
}

function joinedColumn(site: FakeSite, user: string, doctype: DocType, through: string, name: string): Column {
  const link = doctype.fields.find((field) => field.fieldname === through);
  const target = link === undefined ? undefined : site.metadata.find(link.options ?? '');
  if (link === undefined || target === undefined) throw fieldNotPermitted(`${through}.${name}`);
  if (isTable(link)) {
    const field = target.fields.find((candidate) => candidate.fieldname === name);
    if (field === undefined && !plainColumns.has(name)) throw fieldNotPermitted(name);
    const read: Column['read'] = (_document, child) => child?.[name] ?? null;
    return {
      label: name,
      kind: field === undefined ? 'text' : kindOf(field),
      table: through,
      joins: target.name,
      read,
      hidden: false,
    };
  }
  if (link.fieldtype !== 'Link') throw fieldNotPermitted(`${through}.${name}`);
  if (roleAccess(site, user, target, 'read') === 'none') throw doctypeDenied(user, target.name, true);
  const column = ownColumn(site, user, target, name);
  return {
    ...column,
    joins: target.name,
    read: (document) => {
      const name = document[through];
      const linked = name === undefined || name === null ? undefined : site.store.find(target, name);
      return linked === undefined ? null : column.read(linked, undefined);
    },
  };
}

function standardKind(doctype: DocType, name: string): ColumnKind {
  if (name === 'name') return hasNumericNames(doctype) ? 'number' : 'text';
  if (name === 'creation' || name === 'modified') return 'datetime';
  return name === 'idx' || name === 'docstatus' ? 'number' : 'text';
}

function kindOf(field: Field): ColumnKind {
  if (isNumber(field)) return 'number';
  if (field.fieldtype === 'Datetime') return 'datetime';
  return field.fieldtype === 'Date' ? 'date' : 'text';
}

/** A child row of each joined table; none where the document has no rows in it. */
export type JoinedRow = ReadonlyMap<string | undefined, Record<string, unknown>>;

/** A document's rows once its tables are joined (left joins): every combination of their child rows, at least one. */
export function joinRows(document: StoredDocument, tables: Iterable<string>): JoinedRow[] {
  let rows: JoinedRow[] = [new Map()];
  for (const table of tables) {
    const children = childRows(document, table);
    if (children.length > 0) rows = rows.flatMap((row) => children.map((child) => new Map(row).set(table, child)));
  }
  return rows;
}
