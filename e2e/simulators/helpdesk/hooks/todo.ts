import { documentsOf, type Site } from '../site.ts';
import type { StoredDocument } from '../store.ts';
import type { Hooks } from './types.ts';

/** ToDo: knows who assigned it, and keeps `_assign` of the document it refers to. */
export const todoHooks: Hooks = {
  beforeInsert(site, actor, document) {
    document.assigned_by ??= actor.user;
    document.assigned_by_full_name ??= site.accounts.get(String(document.assigned_by))?.fullName ?? null;
  },
  onChange(site, document) {
    writeAssignees(site, document);
  },
};

/** Open ToDos of a document, newest first. */
export function openTodos(site: Site, doctype: string, name: string): StoredDocument[] {
  return documentsOf(site, 'ToDo')
    .filter((todo) => todo.reference_type === doctype && todo.reference_name === name)
    .filter((todo) => todo.status !== 'Cancelled' && todo.status !== 'Closed')
    .sort((left, right) => (String(left.creation) < String(right.creation) ? 1 : -1));
}

/** `_assign` is the JSON text of the open assignees, first one first; writing it moves no timestamp. */
function writeAssignees(site: Site, todo: StoredDocument): void {
  const doctype = site.metadata.find(String(todo.reference_type ?? ''));
  const reference = doctype === undefined ? undefined : site.store.find(doctype, todo.reference_name);
  if (doctype === undefined || reference === undefined) return;
  const users = openTodos(site, doctype.name, reference.name)
    .reverse()
    .map((open) => JSON.stringify(open.allocated_to));
  site.store.put(doctype, { ...reference, _assign: `[${[...new Set(users)].join(', ')}]` });
}
