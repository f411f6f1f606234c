import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { TicketMemory } from '#ports/ticket-memory.ts';
import { selectOfTicket } from './decision-statements.ts';
import {
  deleteMemory,
  deleteRecords,
  insertTombstone,
  noteTickets,
  selectCreations,
  selectInactive,
} from './memory-statements.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

/** All that a tombstone takes from a decision. A record that cannot be read must not stay for good. */
const Decided = z.object({
  inputs: z.object({
    ticket_creation: z.string().optional().catch(undefined),
    agent_group: z.object({ name: z.string() }).nullish().catch(null),
  }),
  outcome: z.object({ team: z.string().nullish().catch(null) }),
});

/** The tickets' memory on any database that Kysely supports. */
export function createTicketMemory(db: Kysely<PipelineSchema>): TicketMemory {
  return {
    async lastActiveBefore(moment, limit) {
      const rows = await selectInactive(db, moment, limit).execute();
      return rows.map(({ ticket, active_at, gone }) => ({ ticket, activeAt: active_at, gone: gone === 1 }));
    },

    async note(seen) {
      if (seen.length === 0) return;
      // In a fixed order, so that two processes never wait for each other's rows.
      const rows = seen.toSorted((a, b) => (a.ticket < b.ticket ? -1 : 1));
      await noteTickets(
        db,
        rows.map(({ ticket, activeAt, gone }) => ({ ticket, active_at: activeAt, gone: gone ? 1 : 0 })),
      ).execute();
    },

    forget(ticket, moment, now) {
      return db.transaction().execute(async (trx) => {
        if (!(await deleteMemory(trx, ticket, moment).executeTakeFirst())) return false;
        const creations = await selectCreations(trx, ticket).execute();
        const [onlyCreation, ...others] = creations.map(({ creation }) => creation);
        const known = others.length === 0 ? onlyCreation : undefined;
        // Newest first: of a creation, the team of the last decision is kept.
        for (const { decision } of await selectOfTicket(trx, ticket).execute()) {
          const { creation, team } = epitaphOf(decision);
          const row = { ticket, creation: creation ?? known ?? '', team, forgotten_at: now };
          await insertTombstone(trx, row).execute();
        }
        for (const statement of deleteRecords(trx, ticket)) await statement.execute();
        return true;
      });
    },
  };
}

function epitaphOf(decision: string): { creation: string | undefined; team: string | null } {
  try {
    const { inputs, outcome } = Decided.parse(JSON.parse(decision));
    return { creation: inputs.ticket_creation, team: outcome.team ?? inputs.agent_group?.name ?? null };
  } catch {
    return { creation: undefined, team: null };
  }
}
