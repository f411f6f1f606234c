import { parseOrgId } from '@deskside/shared/orgid';
import type { HelpdeskDocument } from '@deskside/simulators/seed/index';
import { orgIdFields, type RoutingFields, ticketFieldOf } from '#helpdesk/fields.ts';
import type { Clock } from '#runtime/memory.ts';
import type { Insert } from '#store/tickets.ts';

type Values = Record<string, unknown>;

/** A desk's documents, and the clock that it goes by. */
export interface DeskDocuments {
  clock: Clock & { advance(ms: number): unknown };
  document(doctype: string, name: string): HelpdeskDocument | undefined;
  all(doctype: string): readonly HelpdeskDocument[];
  save(doctype: string, name: string, change: Values, by?: string): HelpdeskDocument;
  put(doctype: string, name: string, change: Values): void;
  remove(doctype: string, name: string): void;
}

const person = 'an@desk.example';
const times: ReadonlySet<string> = new Set<keyof RoutingFields>(['checkedAt', 'crmLastCheckedAt', 'crmNotFoundAt']);

/** `YYYY-MM-DD HH:MM:SS.mmm` in UTC, which is the desk's zone. */
export const stampAt = (instant: number): string => new Date(instant).toISOString().replace('T', ' ').replace('Z', '');

/** The instant of a stamp, in epoch milliseconds. */
export const instantOf = (stamp: unknown): number => Date.parse(`${String(stamp).slice(0, 23).replace(' ', 'T')}Z`);

/** What people do in a helpdesk, with everything that the helpdesk does then. */
export function deskPeople({ clock, document, all, save, put, remove }: DeskDocuments) {
  let todos = 0;
  const inserts = new Map<string, Insert>();
  /** The service knows a team, and who is away, for five seconds. */
  const letThemSee = () => void clock.advance(5_000);

  function ticket(name: string): HelpdeskDocument {
    const found = document('HD Ticket', name);
    if (found === undefined) throw new Error(`There is no ticket ${name}.`);
    return found;
  }
  const assignmentsOf = (name?: string) =>
    all('ToDo')
      .filter(({ reference_name }) => name === undefined || reference_name === name)
      .toSorted((a, b) => (String(a.creation) < String(b.creation) ? -1 : 1));
  const openOf = (name: string) => assignmentsOf(name).filter(({ status }) => status === 'Open');
  const changes = (name: string, by: string, change: Values) => save('HD Ticket', name, change, by);
  const setAvailability = (users: readonly string[], availability: string) => {
    for (const user of users) put('HD Agent', user, { availability });
    letThemSee();
  };

  return {
    ticket,
    customerOf: (name: string) => (ticket(name).customer ? String(ticket(name).customer) : null),
    changes,
    /** All assignments, or those of a ticket, oldest first. */
    assignmentsOf,
    /** Users with an open assignment, oldest assignment first. */
    assigned: (name: string) => openOf(name).map(({ allocated_to }) => String(allocated_to)),
    /** What a ticket's fields say of its routing. */
    routingOf(name: string): Record<keyof RoutingFields, string | number | null> {
      const found = ticket(name);
      const values = Object.entries(ticketFieldOf).map(([member, field]) => {
        const value = found[field] ?? null;
        return [member, value !== null && times.has(member) ? instantOf(value) : value];
      });
      return Object.fromEntries(values);
    },
    /** A ticket as its sender makes it: open, and by mail unless `owner` says whose session it was. */
    insert(name: string, { owner = 'Administrator', ...values }: Values = {}): HelpdeskDocument {
      if (document('HD Ticket', name)) throw new Error(`There is a ticket ${name}.`);
      const usual = { subject: 'Không in được đơn', description: '', raised_by: 'vy@shop.example' };
      save('HD Ticket', name, { ...usual, ...values }, String(owner));
      const made = ticket(name);
      const text = (field: string) => (made[field] ? String(made[field]) : null);
      inserts.set(name, {
        creation: String(made.creation),
        owner: String(made.owner),
        raisedBy: text('raised_by'),
        contact: text('contact'),
        agentGroup: text('agent_group'),
        splitFrom: text('ticket_split_from'),
        orgIds: [...new Set(orgIdFields.flatMap(({ field }) => parseOrgId(text(field)) ?? []))],
      });
      return made;
    },
    /** What the webhook says of a ticket: its insert, whatever has become of it since. Undefined for what nobody inserted. */
    insertOf: (name: string) => inserts.get(name),
    /** What makes a ticket out. */
    keyOf: (name: string) => ({ name, creation: String(ticket(name).creation) }),
    personReplies: (name: string, by = person) => changes(name, by, { last_agent_response: stampAt(clock()) }),
    personSetsGroup: (name: string, group: string | null, by = person) => changes(name, by, { agent_group: group }),
    personSetsStatus: (name: string, status: string, by = person) => changes(name, by, { status }),
    setsCustomer: (name: string, customer: string | null, by = person) => changes(name, by, { customer }),
    personAssigns(name: string, user: string, by = person, description = 'Yours') {
      todos += 1;
      const reference = { reference_type: 'HD Ticket', reference_name: name };
      save('ToDo', `todo-${todos}`, { ...reference, allocated_to: user, status: 'Open', description }, by);
    },
    /** Whoever has the ticket has it no more. */
    personUnassigns(name: string, by = person) {
      for (const todo of openOf(name)) save('ToDo', todo.name, { status: 'Cancelled' }, by);
    },
    /** A message in a ticket's conversation. */
    addMessage(name: string, content: string) {
      const reference = { reference_doctype: 'HD Ticket', reference_name: name };
      save('Communication', `message of ${name}`, { ...reference, content, sent_or_received: 'Received' });
    },
    /** A team, made or made anew. */
    setTeam(name: string, users: readonly string[], { disabled = false } = {}) {
      put('HD Team', name, { team_name: name, disabled: disabled ? 1 : 0, users: users.map((user) => ({ user })) });
      letThemSee();
    },
    removeTeam(name: string) {
      remove('HD Team', name);
      letThemSee();
    },
    goAway: (...users: string[]) => setAvailability(users, 'Unavailable'),
    comeBack: (...users: string[]) => setAvailability(users, 'Active'),
    /** Switches a team's native rule on, as saving the team does: it assigns on every save of a ticket that nobody has. */
    useNativeRule: (team: string) => void save('HD Team', team, {}),
    /** Lists an address among the members of a customer. */
    addMember(customer: string, address: string) {
      save('Contact', address, { first_name: address, email_ids: [{ email_id: address, is_primary: 1 }] });
      const contacts = document('HD Customer', customer)?.contacts;
      const members = Array.isArray(contacts) ? contacts : [];
      save('HD Customer', customer, { contacts: [...members, { contact_name: address }] });
    },
  };
}
