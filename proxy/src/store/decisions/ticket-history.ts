import { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import * as z from 'zod';
import type { InsertedTicket, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { StateDb } from '#store/schema.ts';
import { noteInUse } from '#store/tickets/records.ts';
import { decisionOf } from './decision-rows.ts';

// What the records say of one ticket: its decisions, and what it was like at first.

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
  sender: InsertedFor;
  /** What the desk had filled in. */
  filled: PipelineTicket['filled'];
}

const Sight = z.object({
  entered: z.object({ agent: z.string(), orgId: OrgId }).nullable(),
  groupSetBy: z.enum(['person', 'sender', 'deskside']).nullable(),
  customer: z.string().nullable(),
  sender: z.object({ raisedBy: z.string().nullable(), isCopied: z.boolean() }),
  filled: z.partialRecord(z.enum(['segment', 'shopplan', 'servicePlan', 'responsible']), z.string()),
});

const Inserted = z.object({
  creation: z.string(),
  owner: z.string(),
  raisedBy: z.string().nullable(),
  agentGroup: z.string().nullable(),
  splitFrom: z.string().nullable(),
  orgIdFields: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
});

/** The latest decision on a ticket. */
export async function latest(db: StateDb, ticket: string): Promise<RoutingDecision | null> {
  const row = await ofTicket(db, ticket).limit(1).executeTakeFirst();
  return row ? decisionOf(row) : null;
}

/** All decisions on a ticket, newest first. */
export async function list(db: StateDb, ticket: string): Promise<RoutingDecision[]> {
  return (await ofTicket(db, ticket).execute()).map(decisionOf);
}

function ofTicket(db: StateDb, ticket: string) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('ticket', '=', ticket)
    .orderBy('number', 'desc');
}

/** Whether the ticket's decisions have been deleted. `creation`: the helpdesk's timestamp, because names can be reused. */
export async function isForgotten(db: StateDb, ticket: string, creation: string): Promise<boolean> {
  const tombstone = await db
    .selectFrom('ticket_tombstone')
    .select('ticket')
    .where('ticket', '=', ticket)
    .where('creation', '=', creation)
    .executeTakeFirst();
  return tombstone !== undefined;
}

/** Records what a ticket was like when first seen; for a given name and creation, the first record stays. */
export async function keepFirstState(
  db: StateDb,
  { ticket, creation, ...firstState }: FirstState,
  at: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, ticket, at);
    await trx
      .insertInto('first_sight')
      .values({ ticket, creation, sight: JSON.stringify(firstState), at })
      .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doNothing())
      .execute();
  });
}

export async function firstState(db: StateDb, ticket: string, creation: string): Promise<FirstState | null> {
  const row = await db
    .selectFrom('first_sight')
    .select('sight')
    .where('ticket', '=', ticket)
    .where('creation', '=', creation)
    .executeTakeFirst();
  return row === undefined ? null : { ticket, creation, ...Sight.parse(JSON.parse(row.sight)) };
}

/** What the event about its insert said; null once that is deleted, or if none has come that says. */
export async function inserted(db: StateDb, ticket: string, creation: string): Promise<InsertedTicket | null> {
  return (await allInserted(db, ticket)).find((one) => one.creation === creation) ?? null;
}

/** Who the ticket of this name was made for, by its first state or else by the event; null where neither says. */
export async function insertedFor(db: StateDb, ticket: string): Promise<InsertedFor | null> {
  const row = await db
    .selectFrom('first_sight')
    .select('sight')
    .where('ticket', '=', ticket)
    // Of several tickets that had the name, the last.
    .orderBy('creation', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row !== undefined) return Sight.parse(JSON.parse(row.sight)).sender;
  const last = (await allInserted(db, ticket)).at(-1);
  return last === undefined ? null : { raisedBy: last.raisedBy, isCopied: false };
}

/** What events said of the insert, in the order of the tickets that had the name. */
async function allInserted(db: StateDb, ticket: string): Promise<InsertedTicket[]> {
  const rows = await db
    .selectFrom('ticket_event')
    .select('inserted')
    .where('ticket', '=', ticket)
    .where('inserted', 'is not', null)
    .execute();
  const all = rows.map((row) => Inserted.parse(JSON.parse(row.inserted ?? '')));
  return all.sort((a, b) => (a.creation < b.creation ? -1 : 1));
}
