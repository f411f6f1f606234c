import { childRows, type FakeSite } from '#helpdesk/site/site.ts';
import { leadingNumber } from '#helpdesk/store/comparison.ts';
import { type DocPerm, type DocType, type Field, hasNumericNames, isTable } from '#helpdesk/store/doctype.ts';
import { hiddenColumns, type StoredDocument, standardColumns } from '#helpdesk/store/store.ts';
import { fieldDefaults } from '#helpdesk/store/values.ts';
import type { HelpdeskDocument } from '#seed/types.ts';

const keptColumns = new Set<string>([...standardColumns, ...hiddenColumns]);

/**
 * Stores a document without permissions, validation or hooks. Fields that the site does not have are left out, missing
 * standard columns filled; a DocType document also defines the DocType.
 */
export function place(site: FakeSite, doctype: string, document: HelpdeskDocument): void {
  const meta = site.metadata.find(doctype);
  if (meta === undefined) return;
  const now = site.clock.now();
  const fields = new Set(meta.fields.map((field) => field.fieldname));
  const known = Object.entries(document).filter(([key]) => keptColumns.has(key) || fields.has(key));
  const stored: StoredDocument = {
    owner: 'Administrator',
    creation: document.modified ?? now,
    modified: document.creation ?? now,
    modified_by: document.owner ?? 'Administrator',
    docstatus: 0,
    idx: 0,
    ...fieldDefaults(meta, null),
    ...(meta.issingle ? site.store.find(meta, document.name) : undefined),
    ...Object.fromEntries(known),
    name: hasNumericNames(meta) ? String(leadingNumber(document.name)) : document.name,
  };
  if ('reference_name' in stored && stored.reference_name !== null) {
    stored.reference_name = referenceName(site, stored);
  }
  for (const field of meta.fields.filter(isTable)) placeRows(site, meta, stored, field);
  site.store.put(meta, stored);
  if (doctype === 'DocType') defineDoctype(site, stored);
}

/** References to numbered documents are kept as the number's text. */
function referenceName(site: FakeSite, document: StoredDocument): string {
  const target = site.metadata.find(String(document.reference_type ?? document.reference_doctype ?? ''));
  const name = String(document.reference_name);
  return target !== undefined && hasNumericNames(target) ? String(leadingNumber(name)) : name;
}

function placeRows(site: FakeSite, meta: DocType, parent: StoredDocument, field: Field): void {
  const standard = { owner: parent.owner, creation: parent.creation, modified: parent.modified, docstatus: 0 };
  parent[field.fieldname] = childRows(parent, field.fieldname).map((row, index) => ({
    ...standard,
    modified_by: parent.modified_by,
    ...row,
    name: String(row.name ?? site.store.childName(field.options ?? '')),
    idx: index + 1,
    parent: parent.name,
    parentfield: field.fieldname,
    parenttype: meta.name,
  }));
}

/** Makes the DocType that a stored DocType document describes. */
export function defineDoctype(site: FakeSite, document: StoredDocument): void {
  site.metadata.define({
    name: document.name,
    autoname: (document.autoname as string | undefined) ?? null,
    issingle: Number(document.issingle ?? 0),
    istable: Number(document.istable ?? 0),
    modified: String(document.modified),
    fields: childRows(document, 'fields') as unknown as Field[],
    permissions: childRows(document, 'permissions') as unknown as DocPerm[],
  });
}
