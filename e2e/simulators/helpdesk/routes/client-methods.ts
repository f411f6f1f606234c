import { type Action, fieldLevels, mayAccess, mayAccessSome } from '#helpdesk/access/permissions.ts';
import { rolesOf } from '#helpdesk/access/roles.ts';
import { deleteDocument, readDocument } from '#helpdesk/documents/documents.ts';
import { listDocuments, selectRows } from '#helpdesk/documents/list.ts';
import { notAuthenticated, notFound, permissionDenied } from '#helpdesk/errors.ts';
import type { Call, MethodTable } from '#helpdesk/http/call.ts';
import { text } from '#helpdesk/http/call.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { asDict } from '#helpdesk/store/serialise.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

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
  'frappe.client.delete': {
    writes: true,
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      deleteDocument(call.site, call.user, doctype, text(call.args, 'name'));
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
  'frappe.client.get_password': { run: getPassword },
  'frappe.client.get_time_zone': { guest: true, run: (call) => ({ time_zone: call.site.clock.timeZone }) },
};

function whole(call: Call, doctype: DocType, document: StoredDocument): Record<string, unknown> {
  return asDict(call.site.metadata, doctype, document, fieldLevels(call.site, call.user, doctype, 'read'));
}

/** The document meant by `name`, or the first that `filters` finds; a Single is its own name. */
function nameFrom(call: Call, doctype: DocType): string {
  if (call.args.name !== undefined) return String(call.args.name);
  if (doctype.issingle) return doctype.name;
  const [first] = selectRows(call.site, call.user, doctype, call.args);
  if (first === undefined) throw notFound(doctype.name, '');
  return first.name;
}

/** A stored secret in clear; System Managers only. An unset one is 401, which must not be taken for bad credentials. */
function getPassword(call: Call): unknown {
  if (!rolesOf(call.site, call.user).has('System Manager')) throw permissionDenied(null);
  const doctype = call.site.metadata.get(text(call.args, 'doctype'));
  const secret = call.site.store.find(doctype, text(call.args, 'name'))?.[text(call.args, 'fieldname')];
  if (secret === undefined || secret === null || secret === '') throw notAuthenticated();
  return secret;
}
