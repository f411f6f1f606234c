import * as z from 'zod';
import type { StateDb, StateSchema } from '#store/schema.ts';

// What is done to a ticket's records within the transactions of others.

/** Notes when tickets were last in use; a later time stays. Rows must come in a fixed order, each ticket once. */
export async function noteTickets(db: StateDb, rows: StateSchema['ticket_memory'][]): Promise<void> {
  await db
    .insertInto('ticket_memory')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('ticket')
        .doUpdateSet(({ ref }) => ({ active_at: ref('excluded.active_at'), gone: ref('excluded.gone') }))
        .where(({ eb, ref }) => eb('ticket_memory.active_at', '<=', ref('excluded.active_at'))),
    )
    .execute();
}

/** The same of one ticket about which something is recorded. `at` in epoch milliseconds. */
export function noteInUse(trx: StateDb, ticket: string, at: number): Promise<void> {
  return noteTickets(trx, [{ ticket, active_at: at, gone: 0 }]);
}

/** All that a tombstone takes from a decision. */
const Decided = z.object({
  inputs: z.object({ ticket_creation: z.string(), agent_group: z.object({ name: z.string() }).nullable() }),
  outcome: z.object({ team: z.string().nullable() }),
});

/** Deletes a ticket's records and leaves a tombstone for each creation that was decided. `now` in epoch milliseconds. */
export async function forgetTicket(trx: StateDb, ticket: string, now: number): Promise<void> {
  // Newest first: of a creation, the team of the last decision is kept.
  const decisions = await trx
    .selectFrom('routing_decision')
    .select('decision')
    .where('ticket', '=', ticket)
    .orderBy('number', 'desc')
    .execute();
  for (const { decision } of decisions) {
    const { inputs, outcome } = Decided.parse(JSON.parse(decision));
    const team = outcome.team ?? inputs.agent_group?.name ?? null;
    await trx
      .insertInto('ticket_tombstone')
      .values({ ticket, creation: inputs.ticket_creation, team, forgotten_at: now })
      .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doNothing())
      .execute();
  }
  await trx.deleteFrom('routing_decision').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('ticket_insert').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('sync_log').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('company_rejection').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('ticket_work').where('ticket', '=', ticket).where('due_at', 'is', null).execute();
}
