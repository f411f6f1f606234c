import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingStatus } from '@deskside/shared/routing';
import type { TicketFile } from './helpdesk.ts';

/** A ticket as the pipeline sees it, read as the service account. Texts are the sender's: hostile. */
export interface PipelineTicket {
  file: TicketFile;
  /** The helpdesk's uuid of the ticket, which its sender cannot choose (facts/live.md section 7); null where unknown. */
  key: string | null;
  status: string;
  /** Plain text of the description, tags removed; empty for a ticket that came by e-mail a moment ago. */
  description: string;
  /** The helpdesk's own stamps, opaque; `modified` for optimistic locking. */
  creation: string;
  modified: string;
  modifiedBy: string;
  /** Whether somebody of the desk has replied. */
  replied: boolean;
  /** Fields of intake that the site has, in the order of facts/domain.md section 3, with their text. */
  intakeFields: { field: string; value: string }[];
  /** As it stands on the ticket; the sender can write it. */
  segment: string | null;
  reason: string | null;
  /** Epoch milliseconds of the last CRM check that the customer's record knows of. */
  customerCheckedAt: number | null;
  /** Opaque: the values that the adapter compares with when it writes. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** A ticket that the sweep came across. */
export interface SweptTicket {
  name: string;
  creation: string;
  modified: string;
}

export interface TeamMember {
  user: string;
  /** `ready`: enabled user with an active HD Agent. */
  state: 'ready' | 'user_disabled' | 'no_agent_record' | 'agent_inactive';
  /** By category of his status; `active` where the helpdesk does not know availability. */
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
   * Name of the ToDo. '' where the service account is not shown it: the user has the ticket, and nothing more is known;
   * such an assignment stands first, is open, and cannot be withdrawn.
   */
  id: string;
  user: string;
  open: boolean;
  assignedBy: string | null;
  /** Name of the native rule that made it; null for a person's or ours. */
  rule: string | null;
  description: string;
  /** Stamp of the helpdesk, for comparing which is older. */
  creation: string;
}

/** What routing writes to a ticket; an absent member is left as it stands, null clears it. Instants in epoch milliseconds. */
export interface RoutingFields {
  agentGroup?: string;
  orgId?: OrgId;
  platformDomain?: string;
  segment?: string;
  shopplan?: string;
  servicePlan?: string;
  status?: RoutingStatus;
  error?: string;
  reason?: string;
  checkedAt?: number;
  crmLastCheckedAt?: number;
  crmNotFoundAt?: number | null;
}

/**
 * The helpdesk as the pipeline needs it, as the service account. Every method may throw HelpdeskError; a refusal of the
 * service account is `unavailable`, never `forbidden`. Writes to one ticket are serialised, retry a deadlock, and are not
 * sent at all where they change nothing. What the site has no field for, or the field no room, is left out and reported.
 */
export interface HelpdeskTickets {
  /** The service account's own user id. */
  serviceUser(signal: AbortSignal): Promise<string>;
  /** Throws `not_found`, also for a name that the database would coerce to another (design.md, decision 13). */
  readPipelineTicket(ticket: string, signal: AbortSignal): Promise<PipelineTicket>;
  /** Plain text of the first message of the conversation; empty where there is none. */
  readFirstMessage(ticket: string, signal: AbortSignal): Promise<string>;
  /** Tickets modified at or after the stamp, in the order of `modified` then name, at most `limit`, after skipping `offset`. */
  listModifiedSince(
    since: string,
    page: { limit: number; offset: number },
    signal: AbortSignal,
  ): Promise<SweptTicket[]>;
  /** The helpdesk's stamp of an instant (epoch milliseconds), for `listModifiedSince`. */
  stampOf(instant: number, signal: AbortSignal): Promise<string>;
  /** Null where there is no such team. Remembered for a few seconds. */
  readTeam(team: string, signal: AbortSignal): Promise<Team | null>;
  /** Whether the user is an agent of the helpdesk by its own records. Remembered for a minute. */
  isAgent(user: string, signal: AbortSignal): Promise<boolean>;
  /** All assignments of a ticket, oldest first. */
  listAssignments(ticket: string, signal: AbortSignal): Promise<TicketAssignment[]>;
  /** Assigns a user; harmless where he is assigned already. */
  assign(ticket: string, user: string, description: string, signal: AbortSignal): Promise<void>;
  /** Cancels one assignment by its id. Harmless for one that is closed or gone. */
  withdraw(assignment: string, signal: AbortSignal): Promise<void>;
  /**
   * Writes what differs in one request, carrying the ticket's stamp. Gives the changes; `changed_meanwhile`: somebody
   * wrote the ticket since it was read.
   */
  writeRouting(
    ticket: PipelineTicket,
    fields: RoutingFields,
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'>;
}
