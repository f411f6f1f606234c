import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingStatus } from '@deskside/shared/routing';
import type { TicketFile } from './helpdesk.ts';
import type { CustomerRecord } from './helpdesk-records.ts';

/** A ticket as the pipeline sees it, read as the service account. Its texts come from the sender and are untrusted. */
export interface PipelineTicket {
  file: TicketFile;
  /** Its customer as it is read for writing; null without one. */
  customerRecord: CustomerRecord | null;
  /** Who has it. */
  assignees: readonly string[];
  /**
   * The helpdesk's uuid of the ticket, which its sender cannot choose (docs/helpdesk.md#inserting-a-ticket); null if
   * unknown.
   */
  key: string | null;
  /** In the helpdesk's own words; only ever compared. */
  status: string;
  /** Whether a ticket with this status is finished. */
  closed: boolean;
  /** The description as plain text, without tags; empty for a ticket that has just arrived by e-mail. */
  description: string;
  /** The helpdesk's own timestamps: opaque, but a later one is the greater text. `modified` for optimistic locking. */
  creation: string;
  modified: string;
  modifiedBy: string;
  /** Whether the support team has replied. */
  replied: boolean;
  /** The intake fields that the site has, in the order of docs/routing.md#intake, with their text. */
  intakeFields: { field: string; value: string }[];
  /** The shop's domain below the platform, as on the ticket. */
  platformDomain: string | null;
  /** As on the ticket; the sender can write it. */
  segment: string | null;
  reason: string | null;
  /** The error that the ticket shows. */
  profileError: string | null;
  /** Epoch milliseconds of the last CRM check, according to the customer's record. */
  customerCheckedAt: number | null;
  /** Opaque: the values that the adapter compares against when it writes. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** A ticket as its insert left it, before anybody wrote to it again, as the signed webhook tells it. */
export interface InsertedTicket {
  creation: string;
  owner: string;
  raisedBy: string | null;
  contact: string | null;
  agentGroup: string | null;
  /** The ticket that it was split from. */
  splitFrom: string | null;
  orgIdFields: { field: string; value: string | null }[];
}

/** What routing uses of a customer. `checkedAt`: the last CRM check according to its record, in epoch milliseconds. */
export interface CustomerSegment {
  name: string;
  segment: string | null;
  shopPlan: string | null;
  checkedAt: number | null;
}

/** A page of tickets found by the sweep. */
interface SweptPage {
  tickets: { name: string; creation: string; modified: string }[];
  /** Names of tickets whose row could not be read, for want of a timestamp for example; '' where there is not even one. */
  unreadable: string[];
}

export interface TeamMember {
  user: string;
  /** `ready`: an enabled user with an active agent record. */
  state: 'ready' | 'user_disabled' | 'no_agent_record' | 'agent_inactive';
  /** By the category of the agent's status; `active` if the helpdesk has no availability. */
  availability: 'active' | 'away' | 'unavailable';
}

/** A team with its members in row order, each once. */
export interface Team {
  name: string;
  disabled: boolean;
  members: TeamMember[];
}

/** One assignment of a ticket to a user, open or not. */
export interface TicketAssignment {
  /**
   * Its own id. '' if the service account cannot see it: the user has the ticket, and nothing else is known; such an
   * assignment comes first, is open, and cannot be withdrawn.
   */
  id: string;
  user: string;
  open: boolean;
  assignedBy: string | null;
  /** Name of the native rule that made it; null if a person or this service did. */
  rule: string | null;
  description: string;
  /** The helpdesk's timestamp, to tell which is older. */
  creation: string;
}

/**
 * What routing writes to a ticket; an absent member leaves its field alone, null clears it. Instants in epoch
 * milliseconds.
 */
export interface RoutingFields {
  agentGroup?: string;
  orgId?: OrgId;
  /** Copies of `orgId` in the ticket's former fields, which some sites have. */
  profileOrgId?: OrgId;
  olderOrgId?: OrgId;
  platformDomain?: string;
  segment?: string;
  shopplan?: string;
  servicePlan?: string;
  status?: RoutingStatus;
  error?: string;
  reason?: string;
  checkedAt?: number | null;
  crmLastCheckedAt?: number | null;
  crmNotFoundAt?: number | null;
  /** The account owner's e-mail. */
  responsible?: string;
}

/**
 * The helpdesk as the pipeline needs it, as the service account. Every method may throw HelpdeskError; a refusal of the
 * service account is `unavailable`, never `forbidden`. Writes to one ticket are serialised, retried after a deadlock,
 * and skipped if they change nothing. Values that the site has no field for, or that do not fit, are left out and
 * reported.
 */
export interface HelpdeskTickets {
  /** The service account's own user id. */
  serviceUser(signal: AbortSignal): Promise<string>;
  /** Throws `not_found`, also for a name that the database would coerce to another (docs/decisions.md 13). */
  readPipelineTicket(ticket: string, signal: AbortSignal): Promise<PipelineTicket>;
  /** Segment and plan of the customer with the org id, the oldest of several; null if there is none. */
  findCustomerOf(orgId: OrgId, signal: AbortSignal): Promise<CustomerSegment | null>;
  /** Plain text of the conversation's first message; empty if there is none. */
  readFirstMessage(ticket: string, signal: AbortSignal): Promise<string>;
  /**
   * Tickets modified at or after the timestamp, ordered by `modified` and name: at most `limit`, after skipping
   * `offset`. One that cannot be read does not keep the others from being listed.
   */
  listModifiedSince(since: string, page: { limit: number; offset: number }, signal: AbortSignal): Promise<SweptPage>;
  /**
   * Whether tickets are finished, and when they were last changed (epoch milliseconds). Those that do not exist, or
   * that the service account may not see, are missing. At most a hundred.
   */
  lookAtTickets(
    tickets: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, { closed: boolean; modifiedAt: number }>>;
  /**
   * Which of these names, at most a hundred, no ticket has: exactly compared. None if that cannot be told, because the
   * service account may not see every ticket.
   */
  missingAmong(tickets: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** An instant (epoch milliseconds) as the helpdesk's timestamp, for `listModifiedSince`. */
  stampOf(instant: number, signal: AbortSignal): Promise<string>;
  /** The timestamp that many milliseconds before another. Anything that is not a timestamp is returned unchanged. */
  stampBefore(stamp: string, ms: number): string;
  /** Null if there is no such team. Cached for a few seconds. */
  readTeam(team: string, signal: AbortSignal): Promise<Team | null>;
  /** The helpdesk's own account, under which it does its own work, such as taking in mail. */
  readonly systemAccount: string;
  /**
   * Whether the account is of the desk (docs/routing.md#who-is-of-the-desk), or was while it was enabled. Our own is not.
   * Ignores case. Cached for a minute.
   */
  isDesk(account: string, signal: AbortSignal): Promise<boolean>;
  /** Whether there is a website user's account of this name, enabled or not. Ignores case. Cached for a minute. */
  isWebsiteUser(account: string, signal: AbortSignal): Promise<boolean>;
  /** The account that made a Contact, as the helpdesk says; null if there is no such Contact. */
  contactOwner(contact: string, signal: AbortSignal): Promise<string | null>;
  /** Whether the user has an agent's role, enabled or not; never one of the helpdesk's own, nor ours. Cached for a minute. */
  isAgent(user: string, signal: AbortSignal): Promise<boolean>;
  /** Full names of users, those that have one and that the service account may see. */
  userNames(users: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** Who has a ticket. */
  assigneesOf(ticket: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * All assignments of a ticket, oldest first.
   *
   * @param assignees who has the ticket by a reading from just before; absent: that is read as well
   */
  listAssignments(ticket: string, signal: AbortSignal, assignees?: readonly string[]): Promise<TicketAssignment[]>;
  /** Assigns a user; harmless if already assigned. */
  assign(ticket: string, user: string, description: string, signal: AbortSignal): Promise<void>;
  /** Cancels one assignment by id. Harmless if it is closed or gone. */
  withdraw(assignment: string, signal: AbortSignal): Promise<void>;
  /**
   * Writes what differs in one request, carrying the ticket's timestamp, and returns the changes. `changed_meanwhile`:
   * someone has written to the ticket since it was read.
   */
  writeRouting(
    ticket: PipelineTicket,
    fields: RoutingFields,
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
  /**
   * Clears those of the written values that the ticket still shows, or writes what `instead` has for them; what only
   * `instead` has is written in any case. Returns the changes; `changed_meanwhile` as there.
   */
  clearRouting(
    ticket: PipelineTicket,
    written: RoutingFields,
    instead: RoutingFields,
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
  /** Takes back changes as far as their fields still show what was written. Returns what it took back. */
  takeBackRouting(
    ticket: PipelineTicket,
    changes: readonly FieldChange[],
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
}
