import { insertDocument, readDocument } from '#helpdesk/documents/documents.ts';
import { cancelTodo, openTodos } from '#helpdesk/hooks/todo.ts';
import { type Call, json, type MethodTable, text } from '#helpdesk/http/call.ts';

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
export async function assign(call: Call, args: Record<string, unknown>): Promise<unknown> {
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

function assignments(call: Call, doctype: string, name: string): unknown {
  const meta = call.site.metadata.get(doctype);
  const document = readDocument(call.site, call.user, meta, name);
  const open = openTodos(call.site, doctype, document.name).slice(0, 5);
  return open.map((todo) => ({ owner: todo.allocated_to, name: todo.name }));
}

function unassign(call: Call, doctypeName: string, name: string, users: string[]): void {
  const { site } = call;
  const doctype = site.metadata.get(doctypeName);
  const document = readDocument(site, call.user, doctype, name);
  for (const open of openTodos(site, doctypeName, document.name)) {
    if (users.includes(String(open.allocated_to))) cancelTodo(site, call.user, open);
  }
}
