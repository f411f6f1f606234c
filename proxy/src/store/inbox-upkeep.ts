import { chunksOf } from './chunks.ts';
import type { StateDb } from './schema.ts';

// What waits in the inbox, and what is deleted of it.

/** Which of these tickets are waiting or being worked on. */
export async function waitingAmong(db: StateDb, tickets: readonly string[]): Promise<Set<string>> {
  const queued = new Set<string>();
  for (const chunk of chunksOf(tickets)) {
    const rows = await db
      .selectFrom('ticket_work')
      .select('ticket')
      .where('ticket', 'in', chunk)
      .where('due_at', 'is not', null)
      .execute();
    for (const { ticket } of rows) queued.add(ticket);
  }
  return queued;
}

/** When the last event about this ticket came in (epoch milliseconds); null if none has. */
export async function lastEventAt(db: StateDb, ticket: string): Promise<number | null> {
  const { at } = await db
    .selectFrom('ticket_event')
    .select(({ fn }) => fn.max('received_at').as('at'))
    .where('ticket', '=', ticket)
    .executeTakeFirstOrThrow();
  return at === null ? null : Number(at);
}

/** How many tickets are waiting or being worked on. Counts through an index that contains only these. */
export async function waiting(db: StateDb): Promise<number> {
  const { count } = await db
    .selectFrom('ticket_work')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes events from before the given time, at most `limit`; returns how many. */
export async function deleteEventsBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_event')
    .where('digest', 'in', ({ selectFrom }) =>
      selectFrom('ticket_event as old').select('old.digest').where('old.received_at', '<', moment).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The same for tickets that were finished and last came in before that time. */
export async function deleteFinishedBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_work')
    // Repeated, so that a ticket that has come in again meanwhile stays.
    .where('due_at', 'is', null)
    .where('ticket', 'in', ({ selectFrom }) =>
      selectFrom('ticket_work as old')
        .select('old.ticket')
        .where('old.due_at', 'is', null)
        .where('old.since', '<', moment)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
