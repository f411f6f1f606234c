import type { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type {
  CustomerSegment,
  HelpdeskTickets,
  PipelineTicket,
  Team,
  TeamMember,
  TicketAssignment,
  TicketVersion,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import type { NewTicket } from './fake-ticket.ts';

/** Tickets, teams and agents under a test's control. */
export interface FakeTickets extends HelpdeskTickets {
  tickets: Map<string, PipelineTicket>;
  /** Names of tickets whose row the sweep cannot read. */
  unreadable: Set<string>;
  /** First messages by ticket, if they differ from the description. */
  messages: Map<string, string>;
  teams: Map<string, Team>;
  /** Agents who are in no team; members who are ready count as agents anyway. */
  agents: Set<string>;
  /** Saves of each ticket after its insert, the newest first. */
  versions: Map<string, TicketVersion[]>;
  /** Accounts of the desk without an agent's role: System Managers, integrations. */
  others: Set<string>;
  /** Customers of the helpdesk, found by an org id at the end of their name. */
  customers: CustomerSegment[];
  /** All assignments of all tickets, oldest first. */
  assignments: (TicketAssignment & { ticket: string })[];
  /** Teams whose native rule is on: it assigns on every save of a ticket that has no assignee. */
  nativeRules: Set<string>;
  /** Every write of the service, in order, such as `route 61307 agentGroup reason` or `assign 61307 an@desk.example`. */
  writes: string[];
  reads: number;
  /** Runs before the next write, once. */
  meanwhile: (() => void)[];
  /** Every call fails while it is set. */
  failure: HelpdeskError | null;
  /** The next call of this method fails; with `after`, it takes effect and only the response is lost. */
  failNext(method: keyof HelpdeskTickets, error?: HelpdeskError, when?: 'before' | 'after'): void;
  /** A ticket as its sender left it: open, without group, customer or reply. */
  insert(name: string, ticket?: NewTicket): PipelineTicket;
  /** A team whose members are ready and active unless specified otherwise. */
  addTeam(name: string, members: (string | TeamMember)[], team?: { disabled?: boolean; nativeRule?: boolean }): Team;
  /** Users with an open assignment, oldest assignment first. */
  assigned(ticket: string): string[];
  /** Saves a ticket with a change, as the account. */
  changes(ticket: string, by: string, change: (ticket: PipelineTicket) => void): void;
  personAssigns(ticket: string, user: string, by?: string): TicketAssignment;
  personReplies(ticket: string, by?: string): void;
  personSetsGroup(ticket: string, group: string | null, by?: string): void;
  personSetsStatus(ticket: string, status: string, by?: string): void;
  /** A person, or the service's linking, sets the ticket's customer. */
  setsCustomer(ticket: string, customer: PipelineTicket['file']['customer'], by?: string): void;
}
