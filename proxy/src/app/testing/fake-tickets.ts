import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type {
  HelpdeskTickets,
  PipelineTicket,
  RoutingFields,
  Team,
  TicketAssignment,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import { mostVersions } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import {
  asOriginal,
  changesOf,
  isClosed,
  isLaterCheck,
  mayBeOriginal,
  newTicket,
  setGroup,
  stampAt,
  versionOf,
  writeFields,
} from './fake-ticket.ts';
import type { FakeTickets } from './fake-tickets-control.ts';

/** A fake of the helpdesk as the pipeline needs it, in memory, with the people who work in it. */

/** The user of the service account. */
const service = 'service@desk.example';

const person = 'an@desk.example';

export function fakeTickets(clock: Clock): FakeTickets {
  const failing: { method: keyof HelpdeskTickets; error: HelpdeskError; when: 'before' | 'after' }[] = [];
  const turns = new Map<string, number>();
  let lastStamp = 0;
  let todos = 0;

  /** Timestamps of the helpdesk: the clock's time in microseconds, each later than the one before. */
  function stamp(): string {
    lastStamp = Math.max(clock() * 1000, lastStamp + 1);
    return `${stampAt(Math.floor(lastStamp / 1000))}${String(lastStamp % 1000).padStart(3, '0')}`;
  }

  function get(name: string): PipelineTicket {
    const found = self.tickets.get(name);
    if (!found) throw new HelpdeskError('not_found', 'none');
    return found;
  }

  function add(ticket: string, user: string, made: Omit<TicketAssignment, 'id' | 'user' | 'open' | 'creation'>) {
    todos += 1;
    const added = { id: `todo-${todos}`, ticket, user, open: true, creation: stamp(), ...made };
    self.assignments.push(added);
    return added;
  }

  function isAgent(user: string): boolean {
    const members = [...self.teams.values()].flatMap((team) => team.members);
    return self.agents.has(user) || members.some((member) => member.user === user && member.state === 'ready');
  }

  const openOf = (ticket: string) => self.assignments.filter((a) => a.ticket === ticket && a.open);

  /** What saving a ticket does: a new timestamp, and then the helpdesk's own rules. */
  function save(name: string, by: string, change: (ticket: PipelineTicket) => void) {
    const ticket = get(name);
    const group = ticket.file.ticket.agentGroup;
    const before = structuredClone(ticket);
    change(ticket);
    self.versions.set(name, [versionOf(by, before, ticket), ...(self.versions.get(name) ?? [])]);
    Object.assign(ticket, { modified: stamp(), modifiedBy: by });
    const team = self.teams.get(ticket.file.ticket.agentGroup ?? '');
    if (team === undefined || !self.nativeRules.has(team.name)) return;
    const users = team.members.map(({ user }) => user);
    if (group !== team.name) for (const other of openOf(name)) other.open = users.includes(other.user);
    const turn = turns.get(team.name) ?? 0;
    const next = users[turn % users.length];
    if (ticket.status !== 'Open' || openOf(name).length > 0 || next === undefined) return;
    turns.set(team.name, turn + 1);
    add(name, next, {
      assignedBy: by,
      rule: `${team.name} - Support Rotation`,
      description: 'Automatic Assignment',
    });
  }

  /** Runs a method as the helpdesk would: after yielding once, so that simultaneous callers interleave. */
  async function answer<T>(method: keyof HelpdeskTickets, work: () => T): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve));
    if (self.failure) throw self.failure;
    const index = failing.findIndex((entry) => entry.method === method);
    const [failed] = index < 0 ? [] : failing.splice(index, 1);
    if (failed?.when === 'before') throw failed.error;
    const result = work();
    if (failed !== undefined) throw failed.error;
    return result;
  }

  function read<T>(method: keyof HelpdeskTickets, work: () => T): Promise<T> {
    return answer(method, () => {
      self.reads += 1;
      return structuredClone(work());
    });
  }

  function write<T>(method: keyof HelpdeskTickets, work: () => T): Promise<T> {
    return answer(method, () => {
      self.meanwhile.shift()?.();
      return work();
    });
  }

  const self: FakeTickets = {
    tickets: new Map(),
    unreadable: new Set(),
    messages: new Map(),
    teams: new Map(),
    agents: new Set(),
    others: new Set(),
    versions: new Map(),
    customers: [],
    assignments: [],
    nativeRules: new Set(),
    writes: [],
    reads: 0,
    meanwhile: [],
    failure: null,
    failNext(method, error = new HelpdeskError('unavailable', 'down'), when = 'before') {
      failing.push({ method, error, when });
    },

    insert(name, given = {}) {
      const inserted = newTicket(name, given, stamp());
      self.tickets.set(name, inserted);
      save(name, inserted.file.ticket.origin.owner, () => {});
      self.versions.delete(name);
      inserted.modified = given.modified ?? inserted.modified;
      inserted.modifiedBy = given.modifiedBy ?? inserted.file.ticket.origin.owner;
      return structuredClone(inserted);
    },

    addTeam(name, members, { disabled = false, nativeRule = false } = {}) {
      const team: Team = {
        name,
        disabled,
        members: members.map((member) =>
          typeof member === 'string' ? { user: member, state: 'ready', availability: 'active' } : member,
        ),
      };
      self.teams.set(name, team);
      if (nativeRule) self.nativeRules.add(name);
      return team;
    },

    assigned: (ticket) => openOf(ticket).map(({ user }) => user),
    personAssigns: (ticket, user, by = person) => add(ticket, user, { assignedBy: by, rule: null, description: '' }),
    personReplies(ticket, by = person) {
      save(ticket, by, (found) => {
        found.replied = true;
      });
    },
    personSetsGroup(ticket, group, by = person) {
      save(ticket, by, (found) => setGroup(found, group));
    },
    changes: save,
    personSetsStatus(ticket, status, by = person) {
      save(ticket, by, (found) => {
        Object.assign(found, { status, closed: isClosed(status) });
      });
    },
    setsCustomer(ticket, customer, by = person) {
      save(ticket, by, ({ file }) => {
        file.customer = customer;
        file.ticket.customer = customer?.name ?? null;
      });
    },

    serviceUser: async () => service,
    readPipelineTicket: (ticket) =>
      read('readPipelineTicket', () => ({ ...get(ticket), assignees: self.assigned(ticket) })),
    findCustomerOf: (orgId) =>
      read('findCustomerOf', () => self.customers.find(({ name }) => name.endsWith(orgId)) ?? null),
    findOriginals: (ticket, inserted) =>
      read('findOriginals', () =>
        [...self.tickets]
          .filter(([name, other]) => mayBeOriginal(other, self.versions.get(name) ?? [], ticket, inserted))
          .map(([, other]) => asOriginal(other)),
      ),
    readVersions: (ticket) => read('readVersions', () => (self.versions.get(ticket) ?? []).slice(0, mostVersions)),
    readFirstMessage: (ticket) =>
      read('readFirstMessage', () => {
        const { description } = get(ticket);
        return self.messages.get(ticket) ?? description;
      }),
    listModifiedSince: (since, { limit, offset }) =>
      read('listModifiedSince', () => {
        const rows = [...self.tickets.values()]
          .map(({ file, creation, modified }) => ({ name: file.ticket.name, creation, modified }))
          .filter(({ modified }) => modified >= since)
          .sort((a, b) => compare(a.modified, b.modified) || compare(a.name, b.name))
          .slice(offset, offset + limit);
        const isReadable = ({ name }: { name: string }) => !self.unreadable.has(name);
        const unreadable = rows.filter((row) => !isReadable(row)).map(({ name }) => name);
        return { tickets: rows.filter(isReadable), unreadable };
      }),
    lookAtTickets: (names) =>
      read('lookAtTickets', () => {
        const found = names.flatMap((name) => self.tickets.get(name) ?? []);
        return new Map(
          found.map(({ file, closed, modified }) => [
            file.ticket.name,
            { closed, modifiedAt: Date.parse(`${modified.replace(' ', 'T')}Z`) },
          ]),
        );
      }),
    missingAmong: (names) => read('missingAmong', () => new Set(names.filter((name) => !self.tickets.has(name)))),
    stampOf: async (instant) => stampAt(instant),
    stampBefore: (stamp, ms) => stampAt(Date.parse(`${stamp.replace(' ', 'T')}Z`) - ms),
    systemAccount: 'Administrator',
    userNames: async () => new Map(),
    readTeam: (team) => read('readTeam', () => self.teams.get(team) ?? null),
    isAgent: (user) => read('isAgent', () => isAgent(user)),
    isDesk: (account) =>
      read('isDesk', () => isAgent(account) || self.others.has(account) || account.toLowerCase() === 'administrator'),
    assigneesOf: (ticket) => read('assigneesOf', () => self.assigned(ticket)),
    listAssignments: (ticket) =>
      read('listAssignments', () =>
        self.assignments.filter((a) => a.ticket === ticket).map(({ ticket: _, ...assignment }) => assignment),
      ),
    listAssignmentsBy: (user, since) =>
      read('listAssignmentsBy', () =>
        self.assignments.filter((a) => a.assignedBy === user && a.creation >= since).map((a) => ({ ...a })),
      ),
    assign: (ticket, user, description) =>
      write('assign', () => {
        get(ticket);
        if (openOf(ticket).some((other) => other.user === user)) return;
        self.writes.push(`assign ${ticket} ${user}`);
        add(ticket, user, { assignedBy: service, rule: null, description });
      }),
    withdraw: (id) =>
      write('withdraw', () => {
        const found = self.assignments.find((assignment) => assignment.id === id);
        if (!found?.open) return;
        self.writes.push(`withdraw ${id} ${found.user}`);
        found.open = false;
      }),
    writeRouting(ticket, fields) {
      const changes = changesOf(ticket, fields);
      if (isLaterCheck(changes)) return answer('writeRouting', () => []);
      return write('writeRouting', () => {
        const { name } = ticket.file.ticket;
        if (get(name).modified !== ticket.modified) return 'changed_meanwhile' as const;
        const group = fields.agentGroup;
        if (group !== undefined && !self.teams.has(group)) throw new HelpdeskError('rejected', 'no such team');
        self.writes.push(`route ${name} ${changes.map(({ field }) => field).join(' ')}`);
        save(name, service, (found) => writeFields(found, fields));
        return changes;
      });
    },
    clearRouting(ticket, written, instead, signal) {
      const due = Object.keys(written).filter(
        (field) => changesOf(ticket, { [field]: written[field as keyof RoutingFields] }).length === 0,
      );
      const replaced = due.map((field) => [field, instead[field as keyof RoutingFields] ?? null]);
      const others = Object.entries(instead).filter(([field]) => !(field in written));
      return self.writeRouting(ticket, Object.fromEntries([...replaced, ...others]), signal);
    },
    takeBackRouting(ticket, changes, signal) {
      const due = changes.filter(({ field, to }) => changesOf(ticket, { [field]: to }).length === 0);
      return self.writeRouting(ticket, Object.fromEntries(due.map(({ field, from }) => [field, from])), signal);
    },
  };
  return self;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
