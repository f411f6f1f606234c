import type { OrgId } from '@deskside/shared/orgid';
import type { Assignment, RoutingDecision } from '@deskside/shared/routing';

/** A decision before it has an identity. `agent` is given where an earlier decision's assignment stays; a turn sets it. */
export type DecisionDraft = Omit<RoutingDecision, 'id' | 'number' | 'assignment'> & {
  assignment: Omit<Assignment, 'agent'> & { agent?: Assignment['agent'] };
};

/** Whose turn it may be. The next one after the team's last is taken: in row order, wrapping, only among `eligible`. */
export interface Turn {
  team: string;
  /** All members in row order. */
  members: readonly string[];
  /** Those of them who may get a ticket now. Not empty. */
  eligible: readonly string[];
}

/** What became of a decision; what is absent stays. */
export interface DecisionChange {
  state?: RoutingDecision['state'];
  assignment?: Partial<Assignment>;
  link?: RoutingDecision['link'];
  /** The reason as it stands on the ticket now. */
  reason?: string;
}

/** A decision that is kept before its ticket has a name, under the ticket's uuid (design.md, decision 24). */
export interface PreliminaryDecision {
  key: string;
  team: string;
  reason: string;
  at: number;
}

/**
 * What a ticket was like when the service first saw it, before any write of its own: later nobody can tell any more who
 * wrote what. `creation`: the helpdesk's stamp, which tells a ticket from another one that had its name before.
 */
export interface FirstSight {
  ticket: string;
  creation: string;
  /** The agent who created the ticket with this org id (design.md, decision 9); null: nobody can be told to have. */
  entered: { agent: string; orgId: OrgId } | null;
  /** Who set the group that stood on it; null where none did. */
  groupSetBy: 'person' | 'sender' | 'deskside' | null;
  customer: string | null;
}

/**
 * What was decided on tickets: our own record, which everything later rests on (design.md, decision 20). A confirmed write
 * survives `kill -9`. Records are kept.
 */
export interface Decisions {
  /**
   * Keeps a decision as the ticket's next one and, with a turn, takes the team's next agent for it: both or neither, so
   * that a crash neither skips nor repeats anybody. `after` is the number of the ticket's latest decision as the caller
   * knows it (0: none); null where there is a newer one by now, and then nothing is kept.
   */
  add(draft: DecisionDraft, after: number, turn: Turn | null): Promise<RoutingDecision | null>;
  /**
   * Takes the next agent for a decision that waited for one: decision and assignment are `planned` then. Null unless its
   * assignment is still `nobody_available`; of two callers one wins.
   */
  takeTurn(id: string, turn: Turn, candidates: Assignment['candidates']): Promise<RoutingDecision | null>;
  update(id: string, change: DecisionChange): Promise<void>;
  latest(ticket: string): Promise<RoutingDecision | null>;
  /** All decisions on a ticket, newest first. */
  list(ticket: string): Promise<RoutingDecision[]>;
  /** Which of these tickets have a decision. */
  decided(tickets: readonly string[]): Promise<Set<string>>;
  /** Latest decisions whose assignment is `nobody_available`, oldest first: those after the given id, if any. */
  waitingForAgent(options: { afterId: string | null; limit: number }): Promise<RoutingDecision[]>;
  /** The latest decision of every ticket, oldest first, a page at a time: those after the given id, if any. */
  page(options: { afterId: string | null; limit: number }): Promise<RoutingDecision[]>;
  /** How many tickets have a decision, so how many `page` walks. */
  count(): Promise<number>;
  /** Keeps what a ticket was like at first sight; of a ticket of this name and creation the first one stays. */
  keepFirstSight(sight: FirstSight, at: number): Promise<void>;
  firstSight(ticket: string, creation: string): Promise<FirstSight | null>;
  /** Keeps a preliminary decision; the first one under a key stays. */
  keepPreliminary(decision: PreliminaryDecision): Promise<void>;
  preliminary(key: string): Promise<PreliminaryDecision | null>;
  deletePreliminaryBefore(moment: number): Promise<number>;
}
