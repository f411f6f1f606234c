import { forgetTicket, noteTickets } from './records.ts';
import type { StateDb } from './schema.ts';

// How long each ticket's records have to be kept (docs/decisions.md 27). A ticket counts as in use whenever something
// about it is recorded, and whenever a look at the helpdesk shows that it is.

/** A ticket of which something is kept, and when it was last known to be in use (epoch milliseconds). */
export interface RememberedTicket {
  ticket: string;
  activeAt: number;
  /** Whether the helpdesk no longer had it when it was last looked at. */
  gone: boolean;
}

/** Tickets that were last in use before the moment (epoch milliseconds), longest ago first. */
export async function lastActiveBefore(db: StateDb, moment: number, limit: number): Promise<RememberedTicket[]> {
  const rows = await db
    .selectFrom('ticket_memory')
    .select(['ticket', 'active_at', 'gone'])
    .where('active_at', '<', moment)
    .orderBy('active_at')
    .limit(limit)
    .execute();
  return rows.map(({ ticket, active_at, gone }) => ({ ticket, activeAt: active_at, gone: gone === 1 }));
}

/** Notes what a look at the helpdesk has shown. A later `activeAt` that is known already stays. */
export async function note(db: StateDb, seen: readonly RememberedTicket[]): Promise<void> {
  if (seen.length === 0) return;
  // In a fixed order, so that two processes never wait for each other's rows.
  const rows = seen.toSorted((a, b) => (a.ticket < b.ticket ? -1 : 1));
  await noteTickets(
    db,
    rows.map(({ ticket, activeAt, gone }) => ({ ticket, active_at: activeAt, gone: gone ? 1 : 0 })),
  );
}

/**
 * Deletes everything that is kept about a ticket, except name and creation of what was decided. False, and nothing is deleted, if it has been in use since the moment.
 */
export function forget(db: StateDb, ticket: string, moment: number, now: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Comes first, so that nothing is recorded about it meanwhile.
    const forgotten = await trx
      .deleteFrom('ticket_memory')
      .where('ticket', '=', ticket)
      .where('active_at', '<', moment)
      .returning('ticket')
      .executeTakeFirst();
    if (forgotten === undefined) return false;
    await forgetTicket(trx, ticket, now);
    return true;
  });
}
