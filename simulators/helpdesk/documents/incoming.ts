import { FrappeError, validationError } from '#helpdesk/errors.ts';
import { childRows, documentsOf, type FakeSite } from '#helpdesk/site/site.ts';
import { type DocType, type Field, isStored, isTable } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { castValue, checkValue, fieldDefaults } from '#helpdesk/store/values.ts';

/**
 * Takes the fields of a request over into a document: unknown ones are ignored, those above the writer's permission
 * levels too, links are checked and put in the spelling of their target. Throws 417 and 500 as the site does.
 */
export function applyFields(
  site: FakeSite,
  user: string,
  doctype: DocType,
  document: StoredDocument,
  values: Record<string, unknown>,
  levels: ReadonlySet<number>,
): void {
  for (const field of doctype.fields.filter(isStored)) {
    if (!(field.fieldname in values) || !levels.has(field.permlevel ?? 0)) continue;
    if (field.fieldtype === 'Password' && /^\*+$/.test(String(values[field.fieldname]))) continue;
    document[field.fieldname] = castValue(doctype, field, values[field.fieldname]);
    if (isTable(field)) applyRows(site, user, doctype, document, field, values[field.fieldname]);
  }
  for (const field of doctype.fields) {
    if (field.fieldname in values) document[field.fieldname] = resolveLink(site, field, document);
  }
}

function applyRows(
  site: FakeSite,
  user: string,
  doctype: DocType,
  document: StoredDocument,
  table: Field,
  value: unknown,
): void {
  const rows = value === null ? [] : value;
  if (!Array.isArray(rows)) throw validationError(`Value for ${table.label} must be a list`);
  const child = site.metadata.get(table.options ?? '');
  const known = childRows(document, table.fieldname);
  document[table.fieldname] = rows.map((raw, index) => {
    const given = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
    const before = known.find((row) => row.name === String(given.name ?? ''));
    const row: Record<string, unknown> = before ?? newRow(site, user, child);
    for (const field of child.fields) {
      if (!(field.fieldname in given)) continue;
      row[field.fieldname] = castValue(child, field, given[field.fieldname]);
      row[field.fieldname] = resolveLink(site, field, row);
      checkValue(child, String(row.name), field, row[field.fieldname]);
    }
    return { ...row, idx: index + 1, parentfield: table.fieldname, parenttype: doctype.name };
  });
}

function newRow(site: FakeSite, user: string, child: DocType): Record<string, unknown> {
  const name = site.store.childName(child.name);
  return { name, owner: user, docstatus: 0, __unsaved: 1, ...fieldDefaults(child, null) };
}

/** Sets the standard columns of all child rows after the parent's have been set. */
export function stampRows(doctype: DocType, document: StoredDocument): void {
  for (const table of doctype.fields.filter(isTable)) {
    for (const row of childRows(document, table.fieldname)) {
      row.creation ??= document.modified;
      row.owner ??= document.modified_by;
      row.modified = document.modified;
      row.modified_by = document.modified_by;
      row.parent = document.name;
    }
  }
}

/** Required fields, lengths, ranges and options of a whole document. Throws 417. */
export function checkFields(doctype: DocType, document: StoredDocument): void {
  const missing = doctype.fields.filter((field) => field.reqd === 1 && isEmpty(document[field.fieldname]));
  if (missing.length > 0) {
    const names = missing.map((field) => field.fieldname).join(', ');
    throw new FrappeError({
      status: 417,
      excType: 'MandatoryError',
      message: missing.map(({ label }) => `Error: Value missing for ${doctype.name}: ${label}`).join('<br>'),
      plain: true,
      exception: `frappe.exceptions.MandatoryError: [${doctype.name}, ${document.name}]: ${names}`,
    });
  }
  for (const field of doctype.fields) checkValue(doctype, document.name, field, document[field.fieldname]);
}

/** Fields of which no two documents may have the same value. Throws 417. */
export function checkUnique(doctype: DocType, document: StoredDocument, others: readonly StoredDocument[]): void {
  for (const { fieldname, label } of doctype.fields.filter((field) => field.unique === 1)) {
    const value = document[fieldname];
    if (isEmpty(value) || !others.some((one) => one.name !== document.name && one[fieldname] === value)) continue;
    const cause = `IntegrityError(1062, "Duplicate entry '${value}' for key '${fieldname}'")`;
    throw new FrappeError({
      status: 417,
      excType: 'UniqueValidationError',
      message: `${label} must be unique`,
      plain: true,
      exception: `frappe.exceptions.UniqueValidationError: ('${doctype.name}', '${document.name}', ${cause})`,
    });
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The DocType that a Link or Dynamic Link of this row points to; undefined for other fields. */
function targetOf(field: Field, row: Record<string, unknown>): string | undefined {
  if (field.fieldtype === 'Link') return field.options;
  return field.fieldtype === 'Dynamic Link' ? String(row[field.options ?? ''] ?? '') : undefined;
}

/**
 * Checks a link and gives it in the spelling of its target. Throws 417 `LinkValidationError` for a document that is
 * not there. DocTypes that the simulator does not know cannot be linked to.
 */
function resolveLink(site: FakeSite, field: Field, row: Record<string, unknown>): unknown {
  const value = row[field.fieldname];
  const target = targetOf(field, row);
  if (target === undefined || value === null || value === undefined || value === '') return value;
  const doctype = site.metadata.find(target);
  const found =
    target === 'DocType'
      ? site.metadata.find(String(value))?.name
      : target === 'Role'
        ? String(value)
        : doctype === undefined
          ? undefined
          : site.store.find(doctype, value)?.name;
  if (found !== undefined) return found;
  throw validationError(`Could not find ${field.label}: ${String(value)}`, 'LinkValidationError');
}

interface Reference {
  doctype: DocType;
  document: StoredDocument;
}

/** Every document that links to this one, by a field of its own or of its child rows. */
export function referencesTo(site: FakeSite, target: string, name: string): Reference[] {
  const doctypes = site.metadata.all().filter((candidate) => !candidate.istable);
  return doctypes.flatMap((doctype) =>
    documentsOf(site, doctype.name)
      .filter((document) =>
        rowsOf(site, doctype, document).some(({ row, fields }) =>
          fields.some((field) => targetOf(field, row) === target && row[field.fieldname] === name),
        ),
      )
      .map((document) => ({ doctype, document })),
  );
}

/** The documents that link to this one, as they are once it has another name. */
export function repointed(site: FakeSite, target: string, name: string, to: string): Reference[] {
  return referencesTo(site, target, name).map(({ doctype, document }) => {
    const copy = structuredClone(document);
    for (const { row, fields } of rowsOf(site, doctype, copy))
      for (const field of fields)
        if (targetOf(field, row) === target && row[field.fieldname] === name) row[field.fieldname] = to;
    return { doctype, document: copy };
  });
}

function rowsOf(
  site: FakeSite,
  doctype: DocType,
  document: StoredDocument,
): { row: Record<string, unknown>; fields: Field[] }[] {
  const tables = doctype.fields.filter(isTable).flatMap((table) => {
    const fields = site.metadata.find(table.options ?? '')?.fields ?? [];
    return childRows(document, table.fieldname).map((row) => ({ row, fields }));
  });
  return [{ row: document, fields: doctype.fields }, ...tables];
}
