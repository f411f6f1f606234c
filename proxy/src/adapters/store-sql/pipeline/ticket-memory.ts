import type { Kysely } from 'kysely';
import type { RememberedTicket, TicketMemory } from '#ports/retention/ticket-memory.ts';
import { forgetTicket } from './forget-ticket.ts';
import { deleteMemory, noteTickets, selectInactive } from './memory-statements.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

/** The tickets' memory on any database that Kysely supports. */
export function createTicketMemory(db: Kysely<PipelineSchema>): TicketMemory {
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
