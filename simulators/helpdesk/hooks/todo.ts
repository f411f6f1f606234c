import { helpdeskError } from '#helpdesk/errors.ts';
import { childRows, documentsOf, type FakeSite, type Hooks, newColumns } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

/** ToDo: knows who assigned it, and keeps `_assign` of the document it refers to. */
export const todoHooks: Hooks = {
  beforeInsert(site, actor, document) {
    if (site.settings.refusesAssigneesOutsideTeam && actor.user !== 'Administrator') checkTeam(site, document);
    document.assigned_by ??= actor.user;
    document.assigned_by_full_name ??= site.accounts.get(String(document.assigned_by))?.fullName ?? null;
  },
  onChange(site, document) {
    writeAssignees(site, document);
  },
};

function checkTeam(site: FakeSite, { reference_type, reference_name, allocated_to }: StoredDocument): void {
  if (reference_type !== 'HD Ticket') return;
  const ticket = site.store.find(site.metadata.get('HD Ticket'), reference_name);
  const team = ticket?.agent_group ? site.store.find(site.metadata.get('HD Team'), ticket.agent_group) : undefined;
  const isMember = childRows(team, 'users').some(({ user }) => user === allocated_to);
  if (!isMember) throw helpdeskError(`${allocated_to} is not a member of the ticket's team`);
}

/** Assigns a user as a native rule does: no permission asked, and the ToDo names the rule. */
export function assignByRule(
  site: FakeSite,
  assignedBy: string,
  ticket: string,
  user: string,
  rule: StoredDocument,
): void {
  const columns = newColumns(site, assignedBy);
  const todo: StoredDocument = {
    ...columns,
    status: 'Open',
    priority: 'Medium',
    date: columns.creation.slice(0, 10),
    allocated_to: user,
    description: rule.description || 'Automatic Assignment',
    reference_type: 'HD Ticket',
    reference_name: ticket,
    assigned_by: assignedBy,
    assigned_by_full_name: site.accounts.get(assignedBy)?.fullName ?? null,
    assignment_rule: rule.name,
  };
  site.store.put(site.metadata.get('ToDo'), todo);
  writeAssignees(site, todo);
}

/** Takes an assignment back. */
export function cancelTodo(site: FakeSite, user: string, todo: StoredDocument): void {
  const cancelled = { ...todo, status: 'Cancelled', modified: site.clock.now(), modified_by: user };
  site.store.put(site.metadata.get('ToDo'), cancelled);
  writeAssignees(site, cancelled);
}

/** Open ToDos of a document, newest first. */
export function openTodos(site: FakeSite, doctype: string, name: string): StoredDocument[] {
  return documentsOf(site, 'ToDo')
    .filter((todo) => todo.reference_type === doctype && todo.reference_name === name)
    .filter((todo) => todo.status !== 'Cancelled' && todo.status !== 'Closed')
    .sort((left, right) => (String(left.creation) < String(right.creation) ? 1 : -1));
}

/** `_assign` is the JSON text of the open assignees, first one first; writing it moves no timestamp. */
function writeAssignees(site: FakeSite, todo: StoredDocument): void {
  const doctype = site.metadata.find(String(todo.reference_type ?? ''));
  const reference = doctype === undefined ? undefined : site.store.find(doctype, todo.reference_name);
  if (doctype === undefined || reference === undefined) return;
  const users = openTodos(site, doctype.name, reference.name)
    .reverse()
    .map((open) => JSON.stringify(open.allocated_to));
  site.store.put(doctype, { ...reference, _assign: `[${[...new Set(users)].join(', ')}]` });
}
