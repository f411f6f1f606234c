import { validationError } from '#helpdesk/errors.ts';
import { childRows, documentsOf, type Site } from '#helpdesk/site/site.ts';
import { type DocType, type Field, isTable } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

/** The DocType that a Link or Dynamic Link of this row points to; undefined for other fields. */
function targetOf(field: Field, row: Record<string, unknown>): string | undefined {
  if (field.fieldtype === 'Link') return field.options;
  return field.fieldtype === 'Dynamic Link' ? String(row[field.options ?? ''] ?? '') : undefined;
}

/**
 * Checks a link and gives it in the spelling of its target. Throws 417 `LinkValidationError` for a document that is
 * not there. DocTypes that the simulator does not know cannot be linked to.
 */
export function resolveLink(site: Site, field: Field, row: Record<string, unknown>): unknown {
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
export function referencesTo(site: Site, target: string, name: string): Reference[] {
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

function rowsOf(
  site: Site,
  doctype: DocType,
  document: StoredDocument,
): { row: Record<string, unknown>; fields: Field[] }[] {
  const tables = doctype.fields.filter(isTable).flatMap((table) => {
    const fields = site.metadata.find(table.options ?? '')?.fields ?? [];
    return childRows(document, table.fieldname).map((row) => ({ row, fields }));
  });
  return [{ row: document, fields: doctype.fields }, ...tables];
}
