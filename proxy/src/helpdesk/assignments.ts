import * as z from 'zod';
import { DocumentName, Named } from './client.ts';
import { HelpdeskError } from './helpdesk.ts';
import type { TicketAssignment } from './helpdesk-tickets.ts';
import { assigneesIn, noSuchTicket, whyNotListed } from './read-ticket.ts';
import type { Site } from './site.ts';

const text = z.string().nullish();
const ToDo = z.object({
  name: DocumentName,
  status: text,
  reference_name: z.union([z.string(), z.int()]).transform(String),
});
const Row = ToDo.extend({
  allocated_to: text,
  assigned_by: text,
  assignment_rule: text,
  description: text,
  creation: z.string(),
});
const Stamped = ToDo.extend({ modified: z.string() });
const Assigned = z.object({ name: DocumentName, _assign: text });

/** How often a write is tried in all; another writer of the same ToDo is hit repeatedly only by chance. */
const maxTries = 3;

// Who is assigned to a ticket: the helpdesk's ToDos (docs/helpdesk.md#assignment), as `HelpdeskTickets` has them. An account
// without System Manager only sees ToDos that it created or that are its own (docs/helpdesk.md#permissions), so assignments
// by people would be missed; the ticket's `_assign` names everyone.

/** Who has a ticket. */
export async function assigneesOf({ client, service }: Site, ticket: string, signal: AbortSignal): Promise<string[]> {
  const query = { fields: ['name', '_assign'], filters: [['name', '=', ticket]], limit: 1 };
  const [row] = await client.list('HD Ticket', query, Assigned, service, signal);
  if (row === undefined) throw await whyNotListed(client, service, ticket, signal);
  if (row.name !== ticket) throw noSuchTicket();
  return assigneesIn(row._assign);
}

/** All assignments of a ticket, oldest first. `known`: who has it by a reading from just before. */
export async function listAssignments(
  at: Site,
  ticket: string,
  signal: AbortSignal,
  known?: readonly string[],
): Promise<TicketAssignment[]> {
  // In this order, a user assigned meanwhile has at least a visible ToDo; one unassigned meanwhile is looked up
  // again.
  const before = known ?? (await assigneesOf(at, ticket, signal));
  const rows = await listToDos(at, ticket, signal);
  const shown = rows.filter((row) => row.reference_name === ticket).flatMap(toAssignment);
  const unexplained = (users: readonly string[]) =>
    users.filter((user) => !shown.some((assignment) => assignment.open && assignment.user === user));
  const missing = unexplained(before);
  if (missing.length === 0) return shown;
  const still = new Set(await assigneesOf(at, ticket, signal));
  return [...missing.filter((user) => still.has(user)).map(hidden), ...shown];
}

function listToDos({ client, service }: Site, ticket: string, signal: AbortSignal) {
  const query = {
    fields: Object.keys(Row.shape),
    filters: [
      ['reference_type', '=', 'HD Ticket'],
      ['reference_name', '=', ticket],
    ],
    orderBy: 'creation asc, name asc',
    limit: 0,
  };
  return client.list('ToDo', query, Row, service, signal);
}

/** Assigns a user; harmless if already assigned. */
export async function assign(
  { client, service, enqueue }: Site,
  ticket: string,
  user: string,
  description: string,
  signal: AbortSignal,
): Promise<void> {
  const args = { doctype: 'HD Ticket', name: ticket, assign_to: [user], description };
  const add = () => client.run('frappe.desk.form.assign_to.add', args, z.unknown(), service, signal);
  await enqueue('HD Ticket', ticket, signal, add);
}

/** Cancels one assignment by id. Harmless if it is closed or gone. */
export async function withdraw({ client, service, enqueue }: Site, id: string, signal: AbortSignal): Promise<void> {
  const query = { fields: Object.keys(Stamped.shape), filters: [['name', '=', id]], limit: 1 };
  for (let attempt = 1; ; attempt += 1) {
    const [todo] = await client.list('ToDo', query, Stamped, service, signal);
    // A closed one stays closed: someone has finished their work.
    if (todo === undefined || todo.name !== id || todo.status !== 'Open') return;
    const document = { status: 'Cancelled', modified: todo.modified };
    try {
      await enqueue('HD Ticket', todo.reference_name, signal, () =>
        client.update('ToDo', id, document, Named, service, signal),
      );
      return;
    } catch (error) {
      if (!(error instanceof HelpdeskError)) throw error;
      if (error.kind === 'not_found') return;
      if (error.kind !== 'conflict' || attempt === maxTries) throw error;
    }
  }
}

/** Empty for one without a user. */
function toAssignment(row: z.infer<typeof Row>): TicketAssignment[] {
  const { name, allocated_to, status, assigned_by, assignment_rule, description, creation } = row;
  if (!allocated_to) return [];
  return [
    {
      id: name,
      user: allocated_to,
      open: status === 'Open',
      assignedBy: assigned_by || null,
      rule: assignment_rule || null,
      description: description ?? '',
      creation,
    },
  ];
}

/** The assignment of a user whose ToDo we cannot see. */
function hidden(user: string): TicketAssignment {
  return { id: '', user, open: true, assignedBy: null, rule: null, description: '', creation: '' };
}
