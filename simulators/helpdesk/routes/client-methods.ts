import { fieldLevels, isOpen, type PermissionType, reach, rolesOf } from '#helpdesk/access/permissions.ts';
import { deleteDocument, insertDocument, readDocument } from '#helpdesk/documents/documents.ts';
import { listDocuments, selectRows } from '#helpdesk/documents/list.ts';
import { renameDocument } from '#helpdesk/documents/rename.ts';
import { notAuthenticated, notFound, permissionDenied } from '#helpdesk/errors.ts';
import { cancelTodo, openTodos } from '#helpdesk/hooks/todo.ts';
import { json, type MethodTable, type SiteCall, text } from '#helpdesk/http/call.ts';
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
  'frappe.client.rename_doc': {
    writes: true,
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      const [from, to] = [text(call.args, 'old_name'), text(call.args, 'new_name')];
      return renameDocument(call.site, call, doctype, { from, to, merge: Number(call.args.merge ?? 0) === 1 });
    },
  },
  'frappe.client.has_permission': {
    run(call) {
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      const action = String(call.args.perm_type ?? 'read') as PermissionType;
      // Without a name it is asked about the DocType as a whole.
      if (call.args.docname === '') {
        return { has_permission: isOpen(call.site, call.user, doctype, action) };
      }
      const document = call.site.store.find(doctype, text(call.args, 'docname'));
      if (document === undefined) throw notFound(doctype.name, text(call.args, 'docname'));
      return { has_permission: reach(call.site, call.user, doctype, action)(document) };
    },
  },
  'frappe.client.get_password': { run: getPassword },
  'frappe.client.get_time_zone': { guest: true, run: (call) => ({ time_zone: call.site.clock.timeZone }) },
};

function whole(call: SiteCall, doctype: DocType, document: StoredDocument): Record<string, unknown> {
  return asDict(call.site.metadata, doctype, document, fieldLevels(call.site, call.user, doctype, 'read'));
}

/** The document meant by `name`, or the first that `filters` finds; a Single is its own name. */
function nameFrom(call: SiteCall, doctype: DocType): string {
  if (call.args.name !== undefined) return String(call.args.name);
  if (doctype.issingle) return doctype.name;
  const [first] = selectRows(call.site, call.user, doctype, call.args);
  if (first === undefined) throw notFound(doctype.name, '');
  return first.name;
}

/** A stored secret in clear; System Managers only. An unset one is 401, which must not be taken for bad credentials. */
function getPassword(call: SiteCall): unknown {
  if (!rolesOf(call.site, call.user).has('System Manager')) throw permissionDenied(null);
  const doctype = call.site.metadata.get(text(call.args, 'doctype'));
  const secret = call.site.store.find(doctype, text(call.args, 'name'))?.[text(call.args, 'fieldname')];
  if (secret === undefined || secret === null || secret === '') throw notAuthenticated();
  return secret;
}

/** `frappe.desk.form.assign_to`: assigning is a ToDo per user (docs/helpdesk.md#assignment). */
export const assignMethods: MethodTable = {
  'frappe.desk.form.assign_to.add': { writes: true, run: (call) => assign(call, call.args) },
  'frappe.desk.form.assign_to.remove': {
    writes: true,
    run(call) {
      unassign(call, text(call.args, 'doctype'), text(call.args, 'name'), [text(call.args, 'assign_to')]);
      return assignments(call, text(call.args, 'doctype'), text(call.args, 'name'));
    },
  },
};

/**
 * Assigns users who are not assigned yet; needs only to read the document. Answers who is assigned now.
 */
export async function assign(call: SiteCall, args: Record<string, unknown>): Promise<unknown> {
  const { site } = call;
  const doctype = site.metadata.get(text(args, 'doctype'));
  const document = readDocument(site, call.user, doctype, text(args, 'name'));
  const given = json(args.assign_to) ?? args.assign_to;
  const users = (Array.isArray(given) ? given : [given]).map(String);
  const present = new Set(openTodos(site, doctype.name, document.name).map((todo) => todo.allocated_to));
  const skipped = users.filter((user) => present.has(user));
  const todo = site.metadata.get('ToDo');
  for (const user of users.filter((candidate) => !present.has(candidate))) {
    insertDocument(site, call, todo, {
      allocated_to: user,
      reference_type: doctype.name,
      reference_name: document.name,
      description: args.description || `Assignment for ${doctype.name} ${document.name}`,
      priority: args.priority ?? 'Medium',
      date: args.date ?? site.clock.format(site.clock.epochMs()).slice(0, 10),
    });
  }
  if (skipped.length > 0) {
    const message = `Already in the following Users ToDo list:<br><br>${skipped.join('<br>')}`;
    call.messages.push({ message, title: 'Message' });
  }
  return assignments(call, doctype.name, document.name);
}

function assignments(call: SiteCall, doctype: string, name: string): unknown {
  const meta = call.site.metadata.get(doctype);
  const document = readDocument(call.site, call.user, meta, name);
  const open = openTodos(call.site, doctype, document.name).slice(0, 5);
  return open.map((todo) => ({ owner: todo.allocated_to, name: todo.name }));
}

function unassign(call: SiteCall, doctypeName: string, name: string, users: string[]): void {
  const { site } = call;
  const doctype = site.metadata.get(doctypeName);
  const document = readDocument(site, call.user, doctype, name);
  for (const open of openTodos(site, doctypeName, document.name)) {
    if (users.includes(String(open.allocated_to))) cancelTodo(site, call.user, open);
  }
}
