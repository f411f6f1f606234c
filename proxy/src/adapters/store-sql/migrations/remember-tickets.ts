import type { Kysely } from 'kysely';

type Tables = {
  ticket_memory: { ticket: string; active_at: number; gone: number };
  routing_decision: { ticket: string };
  first_sight: { ticket: string; at: number };
  sync_log: { ticket: string; at: number };
};

/** Tickets per statement: few enough to stay far below the 10 s after which the PostgreSQL client stops waiting. */
const batchSize = 1_000;

/**
 * Fills `ticket_memory` with every ticket of which something is kept, as last in use when it was first seen or last
 * synced. One of which only decisions are kept counts as unused since ever, so that it is looked at first. A second run
 * changes nothing.
 */
export async function rememberTickets(db: Kysely<unknown>): Promise<void> {
  const tables = db.withTables<Tables>();
  for (const table of ['sync_log', 'first_sight', 'routing_decision'] as const) {
    let after = '';
    for (;;) {
      const rows = await tables
        .selectFrom(table)
        .select('ticket')
        .$if(table !== 'routing_decision', (query) =>
          query.select(({ fn }) => fn.max<number>(`${table as 'sync_log'}.at`).as('at')),
        )
        .where('ticket', '>', after)
        .groupBy('ticket')
        .orderBy('ticket')
        .limit(batchSize)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) break;
      await tables
        .insertInto('ticket_memory')
        .values(rows.map(({ ticket, at }) => ({ ticket, active_at: at ?? 0, gone: 0 })))
        .onConflict((conflict) =>
          conflict
            .column('ticket')
            .doUpdateSet(({ ref }) => ({ active_at: ref('excluded.active_at') }))
            .where(({ eb, ref }) => eb('ticket_memory.active_at', '<', ref('excluded.active_at'))),
        )
        .execute();
      after = last.ticket;
    }
  }
}
