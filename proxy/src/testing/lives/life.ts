import { endpoints } from '#server/app.ts';
import type { Agent } from './cast.ts';
import type { Doc, ServiceProcess, World } from './world.ts';

/** What an agent says of a company and a ticket: that it is its customer (a Sync), or that it is not. */
export interface AgentStatement {
  kind: 'sync' | 'rejection';
  ticket: string;
  /** Who had raised the ticket by then. */
  sender: string;
  by: string;
  orgId: string;
  /** By which it is undone; null as long as it has not succeeded. */
  id: string | null;
  /** The ticket just before. */
  before: Doc;
  /** The customers that the ticket had when it was said, and when it was to be undone. */
  seen: string[];
  isUndone: boolean;
  /** Whether nothing has been kept of its ticket since. */
  isForgotten: boolean;
  /** From which step on it was said, and until which it, or its undoing, may have come about. */
  at: number;
  until: number;
}

/** Whether it has come about, and was not taken back. */
export const isStanding = ({ id, isUndone, until }: AgentStatement) =>
  id !== null && !isUndone && Number.isFinite(until);

/** A world, and what people have done in it. */
export interface Life {
  world: World;
  /** What happened, for a person to read. */
  lines: string[];
  /** Tickets as they were inserted, the oldest first. */
  tickets: Map<string, Doc>;
  /** The oldest first. */
  sayings: AgentStatement[];
  /** Whom an operator has accepted as a company's, ever. */
  listed: { sender: string; orgId: string }[];
  /** Of which companies the CRM has announced its latest change. */
  announced: Set<string>;
  /** Of which companies it has had all open claims judged again since. */
  reopened: Set<string>;
  /** Which companies were merged without a word: what is known of one may be of a record that is gone, for an hour. */
  mergedUntold: Set<string>;
  /** Tickets of which nothing was to be kept, with the step until which what was said of them may have been taken. */
  purged: Map<string, number>;
  /** Tickets that agents had enriched. */
  enriched: Set<string>;
  /** Tickets that somebody of the desk has replied to, taken, closed or given to a team. */
  takenUp: Set<string>;
  /** Who wrote which field of a ticket last: by `TICKET FIELD`. */
  authors: Map<string, string>;
  /** The customers that each ticket has had. */
  linked: Map<string, Set<string>>;
  /** Addresses that each company has had in the CRM. */
  emails: Map<string, Set<string>>;
  /** Segment and plan that each company has had there. */
  plans: Map<string, { segment: string; plan: string }[]>;
  /** Who was not at their desk all the time. */
  awayOnce: Set<string>;
}

export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

type Endpoints = typeof endpoints;
type Answer<E extends keyof Endpoints> = Awaited<ReturnType<Endpoints[E]['handle']>>;

/** An agent's extension asks one of the processes. Null if that fails. */
export function ask<E extends keyof Endpoints>(
  { world }: Life,
  who: Agent,
  name: E,
  input: Record<string, unknown>,
  of: ServiceProcess = world.alive()[0],
): Promise<Answer<E> | null> {
  const { entry, handle } = endpoints[name];
  const asked: unknown = entry.input.parse(input);
  const answer = handle as (ctx: unknown, asked: unknown) => Promise<Answer<E>>;
  return world.run(of, `${who} ${name}`, () => answer(world.callOf(of, who), asked));
}
