import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { endRefusal } from './notes.ts';
import { inOrder, isTicket, type StateDb } from './schema.ts';

// How long each ticket's records have to be kept (docs/data.md#tables). A ticket counts as in use whenever something
// about it is recorded, and whenever a look at the helpdesk shows that it is.

/** A ticket of which something is kept, and when it was last known to be in use (epoch milliseconds). */
export interface KeptTicket extends TicketKey {
  activeAt: number;
  /** Whether the helpdesk no longer had it when it was last looked at. */
  gone: boolean;
}

/** Notes when tickets were last in use; a later time stays. */
export async function noteActive(db: StateDb, tickets: readonly KeptTicket[]): Promise<void> {
  if (tickets.length === 0) return;
  const rows = inOrder(tickets).map(({ name, creation, activeAt, gone }) => ({
    ticket: name,
    creation,
    active_at: activeAt,
    gone: gone ? 1 : 0,
  }));
  await db
    .insertInto('tickets')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['ticket', 'creation'])
        .doUpdateSet(({ ref }) => ({ active_at: ref('excluded.active_at'), gone: ref('excluded.gone') }))
        .where(({ eb, or, ref }) =>
          or([eb('tickets.active_at', 'is', null), eb('tickets.active_at', '<=', ref('excluded.active_at'))]),
        ),
    )
    .execute();
}

/** The same of one about which something is recorded, within the transaction that does. `at` in epoch milliseconds. */
export function noteInUse(trx: StateDb, { name, creation }: TicketKey, at: number): Promise<void> {
  return noteActive(trx, [{ name, creation, activeAt: at, gone: false }]);
}

/** Tickets that were last in use before the moment (epoch milliseconds), longest ago first. */
export async function lastActiveBefore(db: StateDb, moment: number, limit: number): Promise<KeptTicket[]> {
  const rows = await db
    .selectFrom('tickets')
    .select(['ticket', 'creation', 'active_at', 'gone'])
    .where('active_at', '<', moment)
    .orderBy('active_at')
    .limit(limit)
    .execute();
  return rows.map(({ ticket, creation, active_at, gone }) => ({
    name: ticket,
    creation,
    activeAt: active_at ?? 0,
    gone: gone === 1,
  }));
}

/**
 * Deletes everything that is kept about a ticket but name and creation. False, and nothing is deleted, if it has been in use
 * since the moment.
 */
export function forget(db: StateDb, key: TicketKey, moment: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Comes first, so that nothing is recorded about it meanwhile.
    const forgotten = await trx
      .updateTable('tickets')
      .set({ active_at: null })
      .where(isTicket(key))
      .where('active_at', '<', moment)
      .returning('ticket')
      .executeTakeFirst();
    if (forgotten === undefined) return false;
    await forgetAll(trx, key);
    return true;
  });
}

/**
 * Deletes a ticket's records, within a transaction. Of one that was decided name and creation stay, by which it is not taken
 * for a new ticket; what is due stays due.
 */
export async function forgetAll(trx: StateDb, key: TicketKey): Promise<void> {
  const { numDeletedRows: decided } = await trx.deleteFrom('decisions').where(isTicket(key)).executeTakeFirst();
  for (const table of ['claims', 'rejections'] as const) await trx.deleteFrom(table).where(isTicket(key)).execute();
  await trx.deleteFrom('syncs').where(isTicket(key)).where('kind', '=', 'sync').execute();
  await endRefusal(trx, key);
  await trx
    .updateTable('tickets')
    .set({ inserted: null, told_at: null, active_at: null, owners: null, ...(decided > 0n && { forgotten: 1 }) })
    .where(isTicket(key))
    .execute();
  await trx.deleteFrom('tickets').where(isTicket(key)).where('forgotten', '=', 0).where('due_at', 'is', null).execute();
}

/** Whether the ticket's decisions have been deleted (docs/data.md#tables). */
export async function isForgotten(db: StateDb, key: TicketKey): Promise<boolean> {
  const row = await db.selectFrom('tickets').select('forgotten').where(isTicket(key)).executeTakeFirst();
  return row?.forgotten === 1;
}
