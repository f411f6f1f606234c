import {
  type Action,
  allLevels,
  checkDoctype,
  fieldLevels,
  listedDoctype,
  mayAccess,
  mayAccessSome,
} from '#helpdesk/access/permissions.ts';
import { rolesOf } from '#helpdesk/access/roles.ts';
import { deleteDocument, readDocument, renameDocument, updateDocument } from '#helpdesk/documents/documents.ts';
import { listDocuments, selectRows } from '#helpdesk/documents/list.ts';
import { FrappeError, notAuthenticated, notFound, permissionDenied, validationError } from '#helpdesk/errors.ts';
import type { Call } from '#helpdesk/http/call.ts';
import { json, record, text } from '#helpdesk/http/call.ts';
import { messageOf, tracebackText } from '#helpdesk/http/envelope.ts';
import { insertWithScripts } from '#helpdesk/server-scripts/run.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { asDict } from '#helpdesk/store/serialise.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import type { MethodTable } from './method.ts';

/** `frappe.client.*`: documents with every field, null when unset (docs/helpdesk.md#reading). */
export const clientMethods: MethodTable = {
  'frappe.client.get': {
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      return whole(call, doctype, readDocument(call.site, call.user, doctype, nameFrom(call, doctype)));
    },
  },
  'frappe.client.get_list': {
    run: (call) => listDocuments(call.site, call.user, text(call.args, 'doctype'), call.args),
  },
  'frappe.client.get_count': {
    run(call) {
      const doctype = listedDoctype(call.site, call.user, text(call.args, 'doctype'));
      return selectRows(call.site, call.user, doctype, call.args).length;
    },
  },
  'frappe.client.get_value': { run: getValue },
  'frappe.client.set_value': {
    writes: true,
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      const fields = json(call.args.fieldname);
      const values =
        typeof fields === 'object' && fields !== null
          ? (fields as Record<string, unknown>)
          : { [text(call.args, 'fieldname')]: call.args.value };
      return written(call, doctype, updateDocument(call.site, call, doctype, text(call.args, 'name'), values));
    },
  },
  'frappe.client.insert': {
    writes: true,
    async run(call) {
      const values = record(call.args.doc, 'doc');
      const doctype = call.site.metadata.get(text(values, 'doctype'));
      return written(call, doctype, await insertWithScripts(call.site, call, doctype, values));
    },
  },
  'frappe.client.delete': {
    writes: true,
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      deleteDocument(call.site, call.user, doctype, text(call.args, 'name'));
    },
  },
  'frappe.client.rename_doc': {
    writes: true,
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      const [from, to] = [text(call.args, 'old_name'), text(call.args, 'new_name')];
      const merge = ['1', 'true'].includes(String(call.args.merge ?? ''));
      return renameDocument(call.site, call, doctype, { from, to, merge });
    },
  },
  'frappe.client.has_permission': {
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      const action = String(call.args.perm_type ?? 'read') as Action;
      // Without a name it is asked about the DocType as a whole.
      if (call.args.docname === '') return { has_permission: mayAccessSome(call.site, call.user, doctype, action) };
      const document = call.site.store.find(doctype, text(call.args, 'docname'));
      if (document === undefined) throw notFound(doctype.name, text(call.args, 'docname'));
      return { has_permission: mayAccess(call.site, call.user, doctype, document, action) };
    },
  },
  'frappe.client.bulk_update': { writes: true, run: bulkUpdate },
  'frappe.client.get_password': { run: getPassword },
  'frappe.client.get_time_zone': { guest: true, run: (call) => ({ time_zone: call.site.clock.timeZone }) },
};

function whole(call: Call, doctype: DocType, document: StoredDocument): Record<string, unknown> {
  return asDict(call.site.metadata, doctype, document, fieldLevels(call.site, call.user, doctype, 'read'));
}

/** What a write answers: the document whole, whatever the caller's field levels (docs/helpdesk.md#writing). */
function written(call: Call, doctype: DocType, document: StoredDocument): Record<string, unknown> {
  return asDict(call.site.metadata, doctype, document, allLevels(doctype));
}

/** The document meant by `name`, or the first that `filters` finds; a Single is its own name. */
function nameFrom(call: Call, doctype: DocType): string {
  if (call.args.name !== undefined) return String(call.args.name);
  if (doctype.issingle) return doctype.name;
  const [first] = selectRows(call.site, call.user, doctype, call.args);
  if (first === undefined) throw notFound(doctype.name, '');
  return first.name;
}

function getValue(call: Call): Record<string, unknown> {
  const name = text(call.args, 'doctype');
  const doctype = call.site.metadata.get(name);
  checkDoctype(call.site, call.user, doctype, 'read', true);
  const parsed = json(call.args.fieldname) ?? call.args.fieldname ?? 'name';
  const fields = (Array.isArray(parsed) ? parsed : [parsed]).map(String);
  if (doctype.issingle) {
    const document = whole(call, doctype, readDocument(call.site, call.user, doctype, name));
    return Object.fromEntries(fields.map((field) => [field, document[field] ?? null]));
  }
  const parsedFilters = json(call.args.filters);
  const isName = typeof parsedFilters !== 'object' || parsedFilters === null;
  const filters = isName && call.args.filters !== undefined ? { name: call.args.filters } : parsedFilters;
  return listDocuments(call.site, call.user, name, { fields, filters, limit: 1 })[0] ?? {};
}

/** Saves each document by itself; what fails is reported, not thrown (docs/helpdesk.md#writing). */
function bulkUpdate(call: Call): Record<string, unknown> {
  const documents = json(call.args.docs);
  if (!Array.isArray(documents)) throw validationError('docs must be a JSON list');
  const failed: unknown[] = [];
  for (const document of documents as Record<string, unknown>[]) {
    try {
      const { doctype, docname, ...values } = document;
      updateDocument(call.site, call, call.site.metadata.get(String(doctype)), docname, values);
    } catch (error) {
      if (!(error instanceof FrappeError)) throw error;
      if (error.details.message) call.messages.push(messageOf(error));
      failed.push({ doc: document, exc: tracebackText(error) });
    }
  }
  return { failed_docs: failed };
}

/** A stored secret in clear; System Managers only. An unset one is 401, which must not be taken for bad credentials. */
function getPassword(call: Call): unknown {
  if (!rolesOf(call.site, call.user).has('System Manager')) throw permissionDenied(null);
  const doctype = call.site.metadata.get(text(call.args, 'doctype'));
  const secret = call.site.store.find(doctype, text(call.args, 'name'))?.[text(call.args, 'fieldname')];
  if (secret === undefined || secret === null || secret === '') throw notAuthenticated();
  return secret;
}
