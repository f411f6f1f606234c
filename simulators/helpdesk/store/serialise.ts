import { type DocType, type Field, hasNumericNames, isNotNull, isStored, isTable } from './doctype.ts';
import type { DoctypeRegistry } from './metadata.ts';
import { type ChildRow, type StoredDocument, standardColumns } from './store.ts';

/** The value of one column as the API shows it: null when unset, 0 where the column cannot be null, secrets masked. */
export function columnValue(field: Field, document: Record<string, unknown>): unknown {
  const value = document[field.fieldname];
  if (value === undefined || value === null) return isNotNull(field) ? 0 : null;
  if (field.fieldtype === 'Password') return '*'.repeat(String(value).length);
  return value;
}

/** A name as the API shows it: a number where the DocType counts its documents. */
export function wireName(doctype: DocType | undefined, name: string): string | number {
  return doctype !== undefined && hasNumericNames(doctype) ? Number(name) : name;
}

/**
 * A document as `doc.as_dict()` gives it: every field, null when unset, child tables as arrays. Fields above the
 * reader's permission levels are null. Singles have no creation.
 */
export function asDict(
  metadata: DoctypeRegistry,
  doctype: DocType,
  document: StoredDocument,
  levels: ReadonlySet<number>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const column of standardColumns) {
    if (column === 'creation' && doctype.issingle) continue;
    result[column] = column === 'name' ? wireName(doctype, document.name) : (document[column] ?? null);
  }
  const stored = doctype.fields.filter(isStored);
  for (const field of stored.filter((candidate) => !isTable(candidate))) {
    result[field.fieldname] = levels.has(field.permlevel ?? 0) ? columnValue(field, document) : null;
  }
  result.doctype = doctype.name;
  for (const field of stored.filter(isTable)) {
    const rows = (document[field.fieldname] ?? []) as ChildRow[];
    const child = metadata.find(field.options ?? '');
    result[field.fieldname] = rows.map((row) => childDict(child, field.options ?? '', row));
  }
  return result;
}

/** A row of a child table with every field of its DocType. */
function childDict(child: DocType | undefined, doctype: string, row: ChildRow): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const column of standardColumns) result[column] = column === 'name' ? wireName(child, row.name) : row[column];
  for (const column of child?.fields ?? []) result[column.fieldname] = columnValue(column, row);
  for (const column of ['parent', 'parentfield', 'parenttype']) result[column] = row[column];
  result.doctype = doctype;
  if (row.__unsaved !== undefined) result.__unsaved = row.__unsaved;
  return result;
}

/** The same without null keys, child rows included, as `/api/resource` answers (docs/helpdesk.md#reading). */
export function withoutNulls(dict: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(dict).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map((row) => withoutNulls(row as Record<string, unknown>)) : value,
    ]),
  );
}
