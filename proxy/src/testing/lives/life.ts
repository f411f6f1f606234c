import { endpoints } from '#server/app.ts';
import type { Agent } from './cast.ts';
import type { Served, World } from './world.ts';

/** What an agent says of a company and a ticket, by a Sync or a rejection. */
export interface Saying {
  ticket: string;
  /** Who had raised the ticket by then. */
  sender: string;
  by: string;
  orgId: string;
  /** By which it is undone; null as long as it has not succeeded. */
  id: string | null;
  /** The ticket just before. */
  before: Readonly<Record<string, unknown>>;
  isUndone: boolean;
}

/** A world, and what people have done in it. */
export interface Life {
  world: World;
  /** What happened, for a person to read. */
  lines: string[];
  /** In the order of their inserts. */
  tickets: string[];
  syncs: Saying[];
  rejections: Saying[];
  /** Tickets that agents had enriched. */
  enriched: Set<string>;
  /** Addresses that a company has had in the CRM, by org id. */
  emails: Map<string, Set<string>>;
  /** Customers that a ticket has had. */
  linked: { ticket: string; customer: string }[];
  /** Who was not at their desk all the time. */
  awayOnce: Set<string>;
}

type Endpoints = typeof endpoints;
type Answer<E extends keyof Endpoints> = Awaited<ReturnType<Endpoints[E]['handle']>>;

/** An agent's extension asks one of the processes. Null if that fails. */
export function ask<E extends keyof Endpoints>(
  { world }: Life,
  who: Agent,
  name: E,
  input: Record<string, unknown>,
  of: Served = world.alive()[0],
): Promise<Answer<E> | null> {
  const { entry, handle } = endpoints[name];
  const asked: unknown = entry.input.parse(input);
  const answer = handle as (ctx: unknown, asked: unknown) => Promise<Answer<E>>;
  return world.run(of, `${who} ${name}`, () => answer(world.callOf(of, who), asked));
}
