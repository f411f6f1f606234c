import type { ExpressionBuilder } from 'kysely';
import * as z from 'zod';
import type { StateDb, StateSchema } from './schema.ts';

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

/** All that is kept of a decision. */
const Decided = z.object({ inputs: z.object({ ticket_creation: z.string() }) });

/**
 * Deletes a ticket's records. Of each creation that was decided a bare insert stays, by which it is not taken for a new
 * ticket. `now` in epoch milliseconds.
 */
export async function forgetTicket(trx: StateDb, ticket: string, now: number): Promise<void> {
  const decisions = await trx.selectFrom('routing_decision').select('decision').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('routing_decision').where('ticket', '=', ticket).execute();
  await trx
    .deleteFrom('ticket_insert')
    .where('ticket', '=', ticket)
    .where((is) => is.not(isBare(is)))
    .execute();
  for (const { decision } of decisions) {
    const { ticket_creation: creation } = Decided.parse(JSON.parse(decision)).inputs;
    await trx
      .insertInto('ticket_insert')
      .values({ ticket, creation, sender: null, inserted: null, org_ids: '[]', at: now })
      .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doNothing())
      .execute();
  }
  await trx.deleteFrom('sync_log').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('company_rejection').where('ticket', '=', ticket).execute();
  await trx.deleteFrom('ticket_work').where('ticket', '=', ticket).where('due_at', 'is', null).execute();
}

/** Whether an insert holds nothing but name and creation: the ticket's decisions were deleted. */
export function isBare({ eb, and }: ExpressionBuilder<StateSchema, 'ticket_insert'>) {
  return and([eb('sender', 'is', null), eb('inserted', 'is', null)]);
}
