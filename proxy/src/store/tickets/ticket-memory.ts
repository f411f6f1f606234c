import * as z from 'zod';
import type { RememberedTicket, TicketMemory } from '#ports/retention/ticket-memory.ts';
import { selectOfTicket } from '#store/decisions/ticket-history.ts';
import type { StateDb } from '#store/schema.ts';
import { deleteMemory, deleteRecords, insertTombstone, noteTickets, selectInactive } from './records.ts';

/** The tickets' memory on any database that Kysely supports. */
export function createTicketMemory(db: StateDb): TicketMemory {
  async function note(seen: readonly RememberedTicket[]): Promise<void> {
    if (seen.length === 0) return;
    // In a fixed order, so that two processes never wait for each other's rows.
    const rows = seen.toSorted((a, b) => (a.ticket < b.ticket ? -1 : 1));
    await noteTickets(
      db,
      rows.map(({ ticket, activeAt, gone }) => ({ ticket, active_at: activeAt, gone: gone ? 1 : 0 })),
    ).execute();
  }

  return {
    async lastActiveBefore(moment, limit) {
      const rows = await selectInactive(db, moment, limit).execute();
      return rows.map(({ ticket, active_at, gone }) => ({ ticket, activeAt: active_at, gone: gone === 1 }));
    },

    note,

    forget(ticket, moment, now) {
      return db.transaction().execute(async (trx) => {
        if (!(await deleteMemory(trx, ticket, moment).executeTakeFirst())) return false;
        await forgetTicket(trx, ticket, now);
        return true;
      });
    },
  };
}

/** All that a tombstone takes from a decision. */
const Decided = z.object({
  inputs: z.object({ ticket_creation: z.string(), agent_group: z.object({ name: z.string() }).nullable() }),
  outcome: z.object({ team: z.string().nullable() }),
});

/** Deletes a ticket's records within a transaction and leaves a tombstone for each creation that was decided. */
export async function forgetTicket(trx: StateDb, ticket: string, now: number): Promise<void> {
  // Newest first: of a creation, the team of the last decision is kept.
  for (const { decision } of await selectOfTicket(trx, ticket).execute()) {
    const { inputs, outcome } = Decided.parse(JSON.parse(decision));
    const team = outcome.team ?? inputs.agent_group?.name ?? null;
    await insertTombstone(trx, { ticket, creation: inputs.ticket_creation, team, forgotten_at: now }).execute();
  }
  for (const statement of deleteRecords(trx, ticket)) await statement.execute();
}
