import { place } from '#helpdesk/site/place.ts';
import type { Actor } from '#helpdesk/site/site.ts';
import { childRows, documentsOf, type FakeSite, lookup } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { assignByRule, cancelTodo, openTodos } from './todo.ts';

/**
 * Native assignment (docs/helpdesk.md#assignment): on every save of a ticket without an open assignment, the enabled
 * rule of the highest priority whose condition holds gives it to the next of its users.
 */
export function applyAssignmentRules(site: FakeSite, actor: Actor, ticket: StoredDocument): void {
  if (openTodos(site, 'HD Ticket', ticket.name).length > 0) return;
  const rules = documentsOf(site, 'Assignment Rule')
    .filter((rule) => rule.document_type === 'HD Ticket' && rule.disabled !== 1)
    .filter((rule) => childRows(rule, 'users').length > 0 && holds(rule.assign_condition, ticket))
    .sort((left, right) => Number(right.priority ?? 0) - Number(left.priority ?? 0));
  const [rule] = rules;
  if (rule === undefined) return;
  const user = nextUser(site, rule);
  assignByRule(site, actor.user, ticket.name, user, rule);
  site.store.put(site.metadata.get('Assignment Rule'), { ...rule, last_user: user });
}

/** Who is assigned but not in the ticket's new team loses it, while that team's rule is on to find somebody else. */
export function dropOutsiders(site: FakeSite, actor: Actor, ticket: StoredDocument, before: StoredDocument): void {
  if (!ticket.agent_group || ticket.agent_group === before.agent_group || ticket.status !== 'Open') return;
  const team = lookup(site, 'HD Team', ticket.agent_group);
  const rule = lookup(site, 'Assignment Rule', team?.assignment_rule);
  if (rule === undefined || rule.disabled === 1) return;
  const members = usersOf(team);
  if (members.length === 0) return;
  for (const todo of openTodos(site, 'HD Ticket', ticket.name)) {
    if (!members.includes(String(todo.allocated_to))) cancelTodo(site, actor.user, todo);
  }
}

/** Saving a team creates its rule, switches it on again and copies the members; a disabled team's rule goes off. */
export function syncTeamRule(site: FakeSite, team: StoredDocument): void {
  const name = String(team.assignment_rule || `${team.name} - Support Rotation`);
  const rule = lookup(site, 'Assignment Rule', name);
  const members = usersOf(team);
  if (rule === undefined && members.length === 0) return;
  const users = members.map((user) => ({ user }));
  const kept = rule ?? newRule(site, name, team.name);
  place(site, 'Assignment Rule', { ...kept, modified: site.clock.now(), users, disabled: team.disabled ?? 0 });
  team.assignment_rule = name;
  site.store.put(site.metadata.get('HD Team'), team);
}

function newRule(site: FakeSite, name: string, team: string): StoredDocument {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  return {
    name,
    creation: site.clock.now(),
    document_type: 'HD Ticket',
    priority: 1,
    description: 'Automatic Assignment',
    assign_condition: `status == 'Open' and agent_group == '${team}'`,
    assign_condition_json: JSON.stringify([['status', '==', 'Open'], 'and', ['agent_group', '==', team]]),
    rule: 'Round Robin',
    assignment_days: days.map((day) => ({ day })),
  };
}

/** The one after `last_user`, wrapping; the first where he is not among those who come into question. */
function nextUser(site: FakeSite, rule: StoredDocument): string {
  const pool = available(site, usersOf(rule));
  return pool[(pool.indexOf(String(rule.last_user)) + 1) % pool.length] ?? '';
}

/** From 1.27 on those who are active, else those who are away, else everybody (docs/helpdesk.md#assignment). */
function available(site: FakeSite, users: string[]): string[] {
  if (site.generation !== '1.28') return users;
  const category = (user: string): unknown => {
    const status = lookup(site, 'HD Agent', user)?.availability ?? 'Active';
    return lookup(site, 'HD Agent Status', status)?.category ?? status;
  };
  for (const wanted of ['Active', 'Away']) {
    const pool = users.filter((user) => category(user) === wanted);
    if (pool.length > 0) return pool;
  }
  return users;
}

/** Conditions of the form `status == 'Open' and agent_group == 'CS 60p'`; any other holds for no ticket. */
function holds(condition: unknown, ticket: StoredDocument): boolean {
  const text = String(condition ?? '');
  const equality = /\s*(\w+)\s*==\s*(?:'([^']*)'|"([^"]*)")\s*(?:and\b|$)/y;
  do {
    const [, field = '', single, double] = equality.exec(text) ?? [];
    const value = single ?? double;
    if (value === undefined || ticket[field] !== value) return false;
  } while (equality.lastIndex < text.length);
  return true;
}

function usersOf(document: StoredDocument | undefined): string[] {
  return childRows(document, 'users').map((row) => String(row.user));
}
