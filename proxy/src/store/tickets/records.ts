import type { StateDb, StateSchema } from '#store/schema.ts';

/** Notes when tickets were last in use; a later time stays. Rows must come in a fixed order, each ticket once. */
export function noteTickets(db: StateDb, rows: StateSchema['ticket_memory'][]) {
  return db
    .insertInto('ticket_memory')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('ticket')
        .doUpdateSet(({ ref }) => ({ active_at: ref('excluded.active_at'), gone: ref('excluded.gone') }))
        .where(({ eb, ref }) => eb('ticket_memory.active_at', '<=', ref('excluded.active_at'))),
    );
}

export function selectInactive(db: StateDb, before: number, limit: number) {
  return db
    .selectFrom('ticket_memory')
    .select(['ticket', 'active_at', 'gone'])
    .where('active_at', '<', before)
    .orderBy('active_at')
    .limit(limit);
}

/** Returns no row if the ticket has been in use since. Comes first, so that nothing is recorded about it meanwhile. */
export function deleteMemory(db: StateDb, ticket: string, before: number) {
  return db
    .deleteFrom('ticket_memory')
    .where('ticket', '=', ticket)
    .where('active_at', '<', before)
    .returning('ticket');
}

export function insertTombstone(db: StateDb, row: StateSchema['ticket_tombstone']) {
  return db
    .insertInto('ticket_tombstone')
    .values(row)
    .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doNothing());
}

export function selectTombstone(db: StateDb, ticket: string, creation: string) {
  return db
    .selectFrom('ticket_tombstone')
    .select('ticket')
    .where('ticket', '=', ticket)
    .where('creation', '=', creation);
}

/** One statement for each table with records of tickets. */
export function deleteRecords(db: StateDb, ticket: string) {
  return [
    db.deleteFrom('routing_decision').where('ticket', '=', ticket),
    db.deleteFrom('first_sight').where('ticket', '=', ticket),
    db.deleteFrom('sync_log').where('ticket', '=', ticket),
    db.deleteFrom('company_rejection').where('ticket', '=', ticket),
    db.deleteFrom('ticket_work').where('ticket', '=', ticket).where('due_at', 'is', null),
  ];
}

/** That a record of a ticket is made shows that it is in use. `at` in epoch milliseconds. */
export async function noteInUse(trx: StateDb, ticket: string, at: number): Promise<void> {
  await noteTickets(trx, [{ ticket, active_at: at, gone: 0 }]).execute();
}
