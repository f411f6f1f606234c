import { checkDoctype, checkDocument, fieldLevels } from '#helpdesk/access/permissions.ts';
import { duplicate, FrappeError, notFound, validationError } from '#helpdesk/errors.ts';
import { hooksFor } from '#helpdesk/hooks/hooks.ts';
import type { Actor } from '#helpdesk/site/site.ts';
import { type FakeSite, newColumns } from '#helpdesk/site/site.ts';
import { type DocType, hasNumericNames } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { freeName, hashName, nextNumber, seriesName } from '#helpdesk/store/store.ts';
import { fieldDefaults } from '#helpdesk/store/values.ts';
import { queueWebhooks } from '#helpdesk/webhooks/sender.ts';
import { applyFields, checkFields, checkUnique, referencesTo, stampRows } from './incoming.ts';

/**
 * Reads one document as a user. A missing document is 404 before anything else for everybody who may read the DocType,
 * one that they may not see 403 (docs/helpdesk.md#reading).
 */
export function readDocument(site: FakeSite, user: string, doctype: DocType, name: unknown): StoredDocument {
  checkDoctype(site, user, doctype, 'read');
  const document = site.store.find(doctype, name);
  if (document === undefined) throw notFound(doctype.name, String(name));
  checkDocument(site, user, doctype, document, 'read');
  return document;
}

/** A new document on its way: checked and filled, not yet named or stored. */
export interface Draft {
  actor: Actor;
  doctype: DocType;
  document: StoredDocument;
  values: Record<string, unknown>;
}

/** Creates a document at once, without Server Scripts. The API goes through `insertWithScripts`. */
export function insertDocument(
  site: FakeSite,
  actor: Actor,
  doctype: DocType,
  values: Record<string, unknown>,
): StoredDocument {
  return finishInsert(site, draftDocument(site, actor, doctype, values));
}

/** The part of creating that comes before Server Scripts: permission, fields, the controller's first defaults. */
export function draftDocument(site: FakeSite, actor: Actor, doctype: DocType, values: Record<string, unknown>): Draft {
  checkDoctype(site, actor.user, doctype, 'create');
  return newDraft(site, actor, doctype, values, fieldLevels(site, actor.user, doctype, 'write'));
}

/** The same without asking whether the user may. `levels`: of the fields that are taken over. */
export function newDraft(
  site: FakeSite,
  actor: Actor,
  doctype: DocType,
  values: Record<string, unknown>,
  levels: ReadonlySet<number>,
): Draft {
  const columns = newColumns(site, actor.user);
  const today = columns.creation.slice(0, 10);
  const document: StoredDocument = { ...columns, name: '', ...fieldDefaults(doctype, today) };
  applyFields(site, actor.user, doctype, document, values, levels);
  hooksFor(doctype.name).beforeInsert?.(site, actor, document);
  return { actor, doctype, document, values };
}

/** The rest of creating: name, checks, storing, and what follows from it. `name`: instead of what the naming rule gives. */
export function finishInsert(
  site: FakeSite,
  { actor, doctype, document, values }: Draft,
  name?: string,
): StoredDocument {
  const hooks = hooksFor(doctype.name);
  document.name = name ?? nameFor(site, doctype, document, values, hooks.name);
  hooks.validate?.(site, actor, document, undefined);
  checkFields(doctype, document);
  checkUnique(doctype, document, site.store.all(doctype));
  stampRows(doctype, document);
  site.store.put(doctype, document);
  const answer = structuredClone(document);
  hooks.afterInsert?.(site, actor, document);
  queueWebhooks(site, 'after_insert', doctype, answer, actor.user);
  hooks.afterSave?.(site, actor, document, undefined);
  hooks.onChange?.(site, document);
  return answer;
}

/** Changes a document. With `modified` among the values it must be the stored one, else 417. */
export function updateDocument(
  site: FakeSite,
  actor: Actor,
  doctype: DocType,
  name: unknown,
  values: Record<string, unknown>,
): StoredDocument {
  checkDoctype(site, actor.user, doctype, 'write');
  const before = site.store.find(doctype, name);
  if (before === undefined) throw notFound(doctype.name, String(name));
  checkDocument(site, actor.user, doctype, before, 'write');
  checkTimestamp(site, before, values.modified);
  return saveDocument(site, actor, doctype, before, values, fieldLevels(site, actor.user, doctype, 'write'));
}

/** The rest of changing: fields of these levels, checks, storing, and what follows from it. */
export function saveDocument(
  site: FakeSite,
  actor: Actor,
  doctype: DocType,
  before: StoredDocument,
  values: Record<string, unknown>,
  levels: ReadonlySet<number>,
): StoredDocument {
  const hooks = hooksFor(doctype.name);
  const document = structuredClone(before);
  applyFields(site, actor.user, doctype, document, values, levels);
  hooks.validate?.(site, actor, document, before);
  checkFields(doctype, document);
  checkUnique(doctype, document, site.store.all(doctype));
  document.modified = site.clock.now();
  document.modified_by = actor.user;
  stampRows(doctype, document);
  site.store.put(doctype, document);
  if (doctype.name === 'HD Ticket') logSave(site, actor, before, document);
  hooks.afterSave?.(site, actor, document, before);
  hooks.onChange?.(site, document);
  return document;
}

/** The framework's log of what a save changed (docs/helpdesk.md#permissions). */
function logSave(site: FakeSite, { user }: Actor, before: StoredDocument, after: StoredDocument): void {
  const fields = site.metadata.get('HD Ticket').fields.map(({ fieldname }) => fieldname);
  const changed = fields.flatMap((field) =>
    (before[field] || null) === (after[field] || null) ? [] : [[field, before[field] ?? null, after[field] ?? null]],
  );
  if (changed.length === 0) return;
  site.store.put(site.metadata.get('Version'), {
    ...newColumns(site, user),
    ...{ ref_doctype: 'HD Ticket', docname: after.name },
    data: JSON.stringify({
      added: [],
      changed,
      data_import: null,
      removed: [],
      row_changed: [],
      updater_reference: null,
    }),
  });
}

/** What goes with the document that it refers to, and keeps none from being deleted (docs/helpdesk.md#writing). */
const companions = ['ToDo', 'DocShare', 'Version', 'Comment', 'HD Ticket Activity', 'HD Ticket Comment'];

/** Deletes a document, and what goes with it. Throws 417 `LinkExistsError` while others link to it. */
export function deleteDocument(site: FakeSite, user: string, doctype: DocType, name: unknown): void {
  checkDoctype(site, user, doctype, 'delete');
  const document = site.store.find(doctype, name);
  if (document === undefined) throw notFound(doctype.name, String(name));
  checkDocument(site, user, doctype, document, 'delete');
  const references = referencesTo(site, doctype.name, document.name);
  const reference = references.find((other) => !companions.includes(other.doctype.name));
  if (reference !== undefined) {
    const where = `${reference.doctype.name} ${reference.document.name}`;
    const message = `Cannot delete or cancel because ${doctype.name} ${document.name} is linked with ${where}`;
    throw validationError(message, 'LinkExistsError');
  }
  for (const companion of references) site.store.remove(companion.doctype, companion.document.name);
  site.store.remove(doctype, document.name);
  if (doctype.name !== 'Deleted Document') keepDeleted(site, user, doctype, document);
  hooksFor(doctype.name).onChange?.(site, document);
  hooksFor(doctype.name).afterDelete?.(site, document);
}

/** What is deleted stays readable for System Managers, whole (docs/helpdesk.md#writing). */
function keepDeleted(site: FakeSite, user: string, doctype: DocType, document: StoredDocument): void {
  site.store.put(site.metadata.get('Deleted Document'), {
    ...newColumns(site, user),
    ...{ deleted_doctype: doctype.name, deleted_name: document.name, data: JSON.stringify(document), restored: 0 },
  });
}

function nameFor(
  site: FakeSite,
  doctype: DocType,
  document: StoredDocument,
  values: Record<string, unknown>,
  rule: ((site: FakeSite, document: StoredDocument) => string) | undefined,
): string {
  const taken = (candidate: string): boolean => site.store.exists(doctype, candidate);
  if (rule !== undefined) return freeName(checkedName(rule(site, document)), taken);
  const numbers = (): number => nextNumber(site.store.all(doctype).map((known) => known.name));
  if (hasNumericNames(doctype)) return String(numbers());
  const autoname = doctype.autoname ?? 'hash';
  if (autoname === '.####') return seriesName(numbers());
  const fieldname = /^field:(\w+)$/.exec(autoname)?.[1];
  const given =
    fieldname === undefined ? (values.__newname ?? values.name ?? (document.user as unknown)) : document[fieldname];
  if (autoname === 'hash') return hashName();
  const name = checkedName(String(given ?? ''));
  if (name === '') {
    const label = doctype.fields.find((field) => field.fieldname === fieldname)?.label ?? 'Name';
    throw validationError(`${label} is required`);
  }
  if (fieldname !== undefined) document[fieldname] = name;
  if (taken(name)) throw duplicate(doctype.name, name);
  return name;
}

/** Names are trimmed, and may not hold angle brackets (docs/helpdesk.md#writing). */
function checkedName(name: string): string {
  const trimmed = name.trim();
  if (!/[<>]/.test(trimmed)) return trimmed;
  throw new FrappeError({
    status: 409,
    excType: 'NameError',
    message: 'Name cannot contain special characters like <, >',
  });
}

function checkTimestamp(site: FakeSite, document: StoredDocument, given: unknown): void {
  if (given === undefined || given === null || given === document.modified) return;
  const times = `(${String(document.modified)}, ${site.clock.now()})`;
  const message = `Error: Document has been modified after you have opened it ${times}. Please refresh to get the latest document.`;
  throw validationError(message, 'TimestampMismatchError');
}
