import type { OrgId } from '@deskside/shared/orgid';
import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import type { InsertedTicket, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';

/**
 * A decision before it has an identity. `agent` is set if an earlier decision's assignment stays; otherwise a turn sets
 * it.
 */
export type DecisionDraft = Omit<RoutingDecision, 'id' | 'number' | 'assignment'> & {
  assignment: Omit<Assignment, 'agent'> & { agent?: Assignment['agent'] };
};

/** The turn in a team: the next eligible member after the team's last, in row order, wrapping. */
export interface Turn {
  team: string;
  /** All members in row order. */
  members: readonly string[];
  /** Those who may get a ticket now. Not empty. */
  eligible: readonly string[];
}

/** A ticket that waits for an agent. `id`: of its decision. */
export type WaitingTicket = Pick<RoutingDecision, 'id' | 'ticket'>;

/** A change to a decision; what is absent stays. */
interface DecisionChange {
  state?: RoutingDecision['state'];
  assignment?: Partial<Assignment>;
  link?: RoutingDecision['link'];
  /** The reason as the ticket now shows it. */
  reason?: string;
}

/** A decision recorded before its ticket has a name, under the ticket's uuid (docs/decisions.md 24). */
export interface PreliminaryDecision {
  key: string;
  team: string;
  reason: string;
  at: number;
}

/** Who a ticket was made for. `isCopied`: the desk copied that from a ticket whose sender nobody vouches for. */
export interface InsertedFor {
  raisedBy: string | null;
  isCopied: boolean;
}

/**
 * What a ticket was like when the service first saw it, before writing to it: afterwards it is no longer possible to
 * tell who wrote what. `creation`: the helpdesk's timestamp, which distinguishes tickets that had the same name.
 */
export interface FirstState {
  ticket: string;
  creation: string;
  /** The agent who created the ticket with this org id (docs/decisions.md 9); null if unknown. */
  entered: { agent: string; orgId: OrgId } | null;
  /** Who set the ticket's group; null if it had none. */
  groupSetBy: 'person' | 'sender' | 'deskside' | null;
  customer: string | null;
  /** Absent where nobody knows any more what the insert said. */
  sender?: InsertedFor;
  /** What the desk had filled in; absent from older records. */
  filled?: PipelineTicket['filled'];
}

/** Decisions as they are made and changed, and whose turn it is in the teams. */
export interface RecordedDecisions {
  /**
   * Records a decision as the ticket's next one and, with a turn, takes the team's next agent for it: both or neither,
   * so that a crash neither skips nor repeats an agent. `after` is the number of the ticket's latest decision as far as
   * the caller knows (0: none). If there is a newer one by now, nothing is recorded and the result is null.
   */
  add(draft: DecisionDraft, after: number, turn: Turn | null): Promise<RoutingDecision | null>;
  /**
   * Takes the next agent for a decision that was waiting for one; decision and assignment become `planned`. Null unless
   * its assignment is still `nobody_available`: of two callers, one wins.
   */
  takeTurn(id: string, turn: Turn, candidates: Assignment['candidates']): Promise<RoutingDecision | null>;
  /** Who got the team's last ticket; null if nobody has. Takes no turn. */
  lastAgent(team: string): Promise<string | null>;
  /** Sets who got the team's last ticket. Only for what no decision of ours says (docs/decisions.md 36). */
  setLastAgent(team: string, agent: string): Promise<void>;
  update(id: string, change: DecisionChange): Promise<void>;
}

/** What is recorded of one ticket. */
export interface TicketHistory {
  latest(ticket: string): Promise<RoutingDecision | null>;
  /** All decisions on a ticket, newest first. */
  list(ticket: string): Promise<RoutingDecision[]>;
  /** Whether the ticket's decisions have been deleted. `creation`: the helpdesk's timestamp, because names can be reused. */
  isForgotten(ticket: string, creation: string): Promise<boolean>;
  /** Records what a ticket was like when first seen; for a given name and creation, the first record stays. */
  keepFirstState(firstState: FirstState, at: number): Promise<void>;
  firstState(ticket: string, creation: string): Promise<FirstState | null>;
  /** What the event about its insert said; null once that is deleted, or if none has come that says. */
  inserted(ticket: string, creation: string): Promise<InsertedTicket | null>;
  /** Who the ticket of this name was made for, by its first state or else by the event; null where neither says. */
  insertedFor(ticket: string): Promise<InsertedFor | null>;
}

/** The decisions of many tickets. */
export interface DecisionLists {
  /** Which of these tickets have a decision, or had one that has been deleted since (docs/decisions.md 27). */
  decided(tickets: readonly string[]): Promise<Set<string>>;
  /** Latest decisions whose assignment is `nobody_available`, oldest first, at most `limit`. */
  waitingForAgent(limit: number): Promise<RoutingDecision[]>;
  /** The teams of such decisions. */
  waitingTeams(): Promise<string[]>;
  /** Such decisions of one team, oldest first: those after the given id, if any. */
  waitingIn(team: string, options: { afterId: string | null; limit: number }): Promise<WaitingTicket[]>;
  /** Tickets whose latest decision is an open claim of one of these org ids (`isOpenClaim`). */
  openClaimsOf(orgIds: readonly OrgId[]): Promise<string[]>;
  /** The latest decision of every ticket, oldest first, however many there are: those after the given id, if any. */
  latestOfAll(afterId: string | null): AsyncIterable<RoutingDecision>;
  /** The latest decisions of the tickets that were decided last, newest first, at most `limit`. */
  newest(limit: number): AsyncIterable<RoutingDecision>;
  /** The last decision made before the moment (epoch milliseconds), if all were recorded in the order of their dates; null if none was. */
  lastBefore(moment: number): Promise<string | null>;
  /** How many tickets have a decision, which is how many `latestOfAll` gives. */
  count(): Promise<number>;
}

/** What is decided before a ticket has its name. */
export interface PreliminaryDecisions {
  /** Records a preliminary decision; the first one under a key stays. */
  keepPreliminary(decision: PreliminaryDecision): Promise<void>;
  preliminary(key: string): Promise<PreliminaryDecision | null>;
  /** At most `limit`; returns how many. */
  deletePreliminaryBefore(moment: number, limit: number): Promise<number>;
}

/**
 * What was decided on tickets: our own record, which everything later rests on (docs/decisions.md 20). A confirmed
 * write survives `kill -9`. Records are deleted ticket by ticket only (`TicketMemory`).
 */
export interface Decisions extends RecordedDecisions, TicketHistory, DecisionLists, PreliminaryDecisions {}
