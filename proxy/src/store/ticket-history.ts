import type { RoutingDecision } from '@deskside/shared/routing';
import { decisionOf } from './decision-rows.ts';
import type { StateDb } from './schema.ts';

// What the records say of one ticket: its decisions.

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
