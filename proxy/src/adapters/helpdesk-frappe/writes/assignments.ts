import * as z from 'zod';
import { DocumentName, type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import type { WriteQueue } from '#adapters/helpdesk-frappe/client/write-queue.ts';
import { assigneesIn, noSuchTicket, whyNotListed } from '#adapters/helpdesk-frappe/reads/tickets/read-ticket.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, TicketAssignment } from '#ports/helpdesk/helpdesk-tickets.ts';

type Assignments = Pick<
  HelpdeskTickets,
  'assigneesOf' | 'listAssignments' | 'listAssignmentsBy' | 'assign' | 'withdraw'
>;

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

/**
 * Who is assigned to a ticket: the helpdesk's ToDos (docs/helpdesk.md#assignment).
 *
 * An account without System Manager only sees ToDos that it created or that are its own (docs/helpdesk.md#permissions),
 * so assignments by people would be missed; the ticket's `_assign` names everyone.
 *
 * @param deps.service Authorization header of the service account
 */
export function createAssignments(deps: { client: FrappeClient; service: string; enqueue: WriteQueue }): Assignments {
  const { client, service, enqueue } = deps;

  async function assignees(ticket: string, signal: AbortSignal): Promise<string[]> {
    const query = { fields: ['name', '_assign'], filters: [['name', '=', ticket]], limit: 1 };
    const [row] = await client.list('HD Ticket', query, Assigned, service, signal);
    if (row === undefined) throw await whyNotListed(client, service, ticket, signal);
    if (row.name !== ticket) throw noSuchTicket();
    return assigneesIn(row._assign);
  }

  async function visible(ticket: string, signal: AbortSignal): Promise<TicketAssignment[]> {
    const query = {
      fields: Object.keys(Row.shape),
      filters: [
        ['reference_type', '=', 'HD Ticket'],
        ['reference_name', '=', ticket],
      ],
      orderBy: 'creation asc, name asc',
      limit: 0,
    };
    const rows = await client.list('ToDo', query, Row, service, signal);
    return rows.filter((row) => row.reference_name === ticket).flatMap(toAssignment);
  }

  async function madeBy(user: string, since: string, signal: AbortSignal) {
    const query = {
      fields: Object.keys(Row.shape),
      filters: [
        ['reference_type', '=', 'HD Ticket'],
        ['assigned_by', '=', user],
        ['creation', '>=', since],
      ],
      orderBy: 'creation asc, name asc',
      limit: 0,
    };
    const rows = await client.list('ToDo', query, Row, service, signal);
    return rows
      .filter(({ assigned_by }) => assigned_by === user)
      .flatMap((row) => toAssignment(row).map((assignment) => ({ ...assignment, ticket: row.reference_name })));
  }

  async function list(ticket: string, signal: AbortSignal, known?: readonly string[]): Promise<TicketAssignment[]> {
    // In this order, a user assigned meanwhile has at least a visible ToDo; one unassigned meanwhile is looked up
    // again.
    const before = known ?? (await assignees(ticket, signal));
    const shown = await visible(ticket, signal);
    const unexplained = (users: readonly string[]) =>
      users.filter((user) => !shown.some((assignment) => assignment.open && assignment.user === user));
    const missing = unexplained(before);
    if (missing.length === 0) return shown;
    const still = new Set(await assignees(ticket, signal));
    return [...missing.filter((user) => still.has(user)).map(hidden), ...shown];
  }

  async function cancel(id: string, signal: AbortSignal): Promise<void> {
    const query = { fields: Object.keys(Stamped.shape), filters: [['name', '=', id]], limit: 1 };
    for (let attempt = 1; ; attempt += 1) {
      const [todo] = await client.list('ToDo', query, Stamped, service, signal);
      // A closed one stays closed: someone has finished their work.
      if (todo === undefined || todo.name !== id || todo.status !== 'Open') return;
      const document = { status: 'Cancelled', modified: todo.modified };
      try {
        await enqueue(`HD Ticket ${todo.reference_name}`, signal, () =>
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

  return {
    assigneesOf: (ticket, signal) => refusalAsOutage(assignees(ticket, signal)),

    listAssignments: (ticket, signal, known) => refusalAsOutage(list(ticket, signal, known)),

    listAssignmentsBy: (user, since, signal) => refusalAsOutage(madeBy(user, since, signal)),

    async assign(ticket, user, description, signal) {
      const args = { doctype: 'HD Ticket', name: ticket, assign_to: [user], description };
      const add = () => client.run('frappe.desk.form.assign_to.add', args, z.unknown(), service, signal);
      await refusalAsOutage(enqueue(`HD Ticket ${ticket}`, signal, add));
    },

    withdraw: (id, signal) => refusalAsOutage(cancel(id, signal)),
  };
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
