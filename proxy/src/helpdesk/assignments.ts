import * as z from 'zod';
import { HelpdeskError, isForbidden } from './errors.ts';
import { DocumentName, NamedDocument } from './frappe.ts';
import { SitePart } from './site.ts';
import { assigneesIn, readForm, rowNamed } from './ticket-file.ts';

/** One assignment of a ticket to a user, open or not. */
export interface TicketAssignment {
  /**
   * Name of its ToDo. Null if the service account is not shown it: only user and description are known, and a rule that
   * describes its assignments so; such an assignment comes first and is open.
   */
  id: string | null;
  ticket: string;
  user: string;
  open: boolean;
  assignedBy: string | null;
  /** Name of the native rule that made it; null if a person or this service did. */
  rule: string | null;
  description: string;
  /** The helpdesk's timestamp, to tell which is older. */
  creation: string;
}

const text = z.string().nullish();
const ToDo = z.object({
  name: DocumentName,
  status: text,
  reference_name: z.union([z.string(), z.int()]).transform(String),
});

const ToDoRow = ToDo.extend({
  allocated_to: text,
  assigned_by: text,
  assignment_rule: text,
  description: text,
  creation: z.string(),
});

const ToDoStamp = ToDo.extend({ modified: z.string() });

const RuleRow = z.object({ name: DocumentName, description: text });

const AssigneesRow = z.object({ name: DocumentName, _assign: text });

/** How often a write is tried in all; another writer of the same ToDo is hit repeatedly only by chance. */
const maxTries = 3;

/**
 * Who is assigned to a ticket: the helpdesk's ToDos (docs/helpdesk.md#assignment). An account without System Manager only
 * sees ToDos that it created or that are its own (docs/helpdesk.md#permissions), so those of people and of most native rules
 * would be missed; the ticket's `_assign` names everyone. Every method may throw HelpdeskError.
 */
export class Assignments extends SitePart {
  private readonly rules = this.site.memory.readings<z.infer<typeof RuleRow>[]>({ ttlMs: 60_000, max: 1 });

  async users(ticket: string, signal: AbortSignal): Promise<string[]> {
    const { service } = this.site;
    const query = { fields: ['name', '_assign'], filters: [['name', '=', ticket]], limit: 1 };
    const [row] = await service.list('HD Ticket', query, AssigneesRow, signal);
    return assigneesIn((await rowNamed(service, row, ticket, signal))._assign);
  }

  /**
   * All assignments of a ticket, oldest first.
   *
   * @param known who has it by a reading from just before; absent: that is read as well
   */
  async list(ticket: string, signal: AbortSignal, known?: readonly string[]): Promise<TicketAssignment[]> {
    // In this order, a user assigned meanwhile has at least a visible ToDo; one unassigned meanwhile is looked up again.
    const before = known ?? (await this.users(ticket, signal));
    const query = {
      fields: Object.keys(ToDoRow.shape),
      filters: [
        ['reference_type', '=', 'HD Ticket'],
        ['reference_name', '=', ticket],
      ],
      orderBy: 'creation asc, name asc',
      limit: 0,
    };
    const rows = await this.site.service.list('ToDo', query, ToDoRow, signal);
    const shown = rows.filter((row) => row.reference_name === ticket).flatMap(toAssignment);
    const missing = before.filter((user) => !shown.some((assignment) => assignment.open && assignment.user === user));
    return missing.length === 0 ? shown : [...(await this.unseen(ticket, missing, signal)), ...shown];
  }

  /** The open assignments of users whose ToDos we are not shown, by what the ticket's form says of them. */
  private async unseen(ticket: string, users: readonly string[], signal: AbortSignal): Promise<TicketAssignment[]> {
    const { service } = this.site;
    const form = await readForm(service, ticket, signal);
    const all = form?.assignments ?? (await this.users(ticket, signal)).map((owner) => ({ owner, description: '' }));
    const query = { fields: ['name', 'description'], filters: [['document_type', '=', 'HD Ticket']], limit: 0 };
    const read = (within: AbortSignal) => service.list('Assignment Rule', query, RuleRow, within);
    const rules = await this.rules.get('', read, signal).catch((error: unknown) => {
      if (isForbidden(error)) return [];
      throw error;
    });
    return all
      .filter(({ owner }) => users.includes(owner))
      .map(({ owner: user, description }) => {
        const rule = description ? rules.find((one) => one.description === description) : undefined;
        const told = { rule: rule?.name ?? null, description: description ?? '' };
        return { id: null, ticket, user, open: true, assignedBy: null, ...told, creation: '' };
      });
  }

  /** Assigns a user; harmless if already assigned. */
  async add(ticket: string, user: string, description: string, signal: AbortSignal): Promise<void> {
    const { site } = this;
    const args = { doctype: 'HD Ticket', name: ticket, assign_to: [user], description };
    const add = () => site.service.run('frappe.desk.form.assign_to.add', args, z.unknown(), signal);
    await site.write('HD Ticket', ticket, signal, add);
  }

  /** Cancels one assignment. Harmless if it is closed or gone. */
  withdraw({ id, ticket, user }: Pick<TicketAssignment, 'id' | 'ticket' | 'user'>, signal: AbortSignal): Promise<void> {
    return id === null ? this.remove(ticket, user, signal) : this.cancel(id, signal);
  }

  /** The helpdesk itself finds the ToDo, by its user. */
  private async remove(ticket: string, user: string, signal: AbortSignal): Promise<void> {
    const { site } = this;
    const args = { doctype: 'HD Ticket', name: ticket, assign_to: user };
    const remove = () => site.service.run('frappe.desk.form.assign_to.remove', args, z.unknown(), signal);
    await site.write('HD Ticket', ticket, signal, remove);
  }

  private async cancel(id: string, signal: AbortSignal): Promise<void> {
    const { site } = this;
    const query = { fields: Object.keys(ToDoStamp.shape), filters: [['name', '=', id]], limit: 1 };
    for (let attempt = 1; ; attempt += 1) {
      const [todo] = await site.service.list('ToDo', query, ToDoStamp, signal);
      // A closed one stays closed: someone has finished their work.
      if (todo === undefined || todo.name !== id || todo.status !== 'Open') return;
      const document = { status: 'Cancelled', modified: todo.modified };
      const cancel = () => site.service.update('ToDo', id, document, NamedDocument, signal);
      try {
        await site.write('HD Ticket', todo.reference_name, signal, cancel);
        return;
      } catch (error) {
        if (!(error instanceof HelpdeskError)) throw error;
        if (error.kind === 'not_found') return;
        if (error.kind !== 'conflict' || attempt === maxTries) throw error;
      }
    }
  }
}

/** Empty for one without a user. */
function toAssignment(row: z.infer<typeof ToDoRow>): TicketAssignment[] {
  const { name, reference_name, allocated_to, status, assigned_by, assignment_rule, description, creation } = row;
  if (!allocated_to) return [];
  return [
    {
      id: name,
      ticket: reference_name,
      user: allocated_to,
      open: status === 'Open',
      assignedBy: assigned_by || null,
      rule: assignment_rule || null,
      description: description ?? '',
      creation,
    },
  ];
}
