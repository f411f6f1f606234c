import type { Insertable, Kysely } from 'kysely';
import type { PreliminaryDecision } from '#ports/routing/decisions.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

// All statements of decisions and turns are in this file, so that the test of the query plans sees them.

/**
 * Returns who got the team's last ticket. Locks the row until the transaction ends, so that turns are taken one by one.
 */
export function lockCursor(db: Kysely<PipelineSchema>, team: string) {
  return db
    .insertInto('team_cursor')
    .values({ team, last_agent: null })
    .onConflict((conflict) => conflict.column('team').doUpdateSet(({ ref }) => ({ team: ref('excluded.team') })))
    .returning('last_agent');
}

/** The same, without a lock. */
export function selectCursor(db: Kysely<PipelineSchema>, team: string) {
  return db.selectFrom('team_cursor').select('last_agent').where('team', '=', team);
}

export function moveCursor(db: Kysely<PipelineSchema>, team: string, agent: string) {
  return db.updateTable('team_cursor').set({ last_agent: agent }).where('team', '=', team);
}

/** Makes way for the ticket's next decision; returns no row unless this is its latest. */
export function supersede(db: Kysely<PipelineSchema>, ticket: string, number: number) {
  return db
    .updateTable('routing_decision')
    .set({ latest: 0, waiting: 0, waiting_team: null, open_claim: null })
    .where('ticket', '=', ticket)
    .where('number', '=', number)
    .where('latest', '=', 1)
    .returning('id');
}

/** Inserts a decision; returns no row if the ticket already has one with that number. */
export function insertDecision(db: Kysely<PipelineSchema>, row: Insertable<PipelineSchema['routing_decision']>) {
  return db
    .insertInto('routing_decision')
    .values(row)
    .onConflict((conflict) => conflict.columns(['ticket', 'number']).doNothing())
    .returning('id');
}

/** Reads a decision in order to change it: an update without effect, which locks the row until the transaction ends. */
export function lockDecision(db: Kysely<PipelineSchema>, id: number) {
  return db
    .updateTable('routing_decision')
    .set(({ ref }) => ({ latest: ref('latest') }))
    .where('id', '=', id)
    .returning(['id', 'latest', 'waiting', 'decision']);
}

export function writeDecision(
  db: Kysely<PipelineSchema>,
  id: number,
  row: Pick<PipelineSchema['routing_decision'], 'waiting' | 'waiting_team' | 'open_claim' | 'decision'>,
) {
  return db.updateTable('routing_decision').set(row).where('id', '=', id);
}

/** Newest first. */
export function selectOfTicket(db: Kysely<PipelineSchema>, ticket: string) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('ticket', '=', ticket)
    .orderBy('number', 'desc');
}

/** Tickets with a decision, and those whose decisions have been deleted. */
export function selectDecided(db: Kysely<PipelineSchema>, tickets: readonly string[]) {
  return db
    .selectFrom('routing_decision')
    .select('ticket')
    .where('ticket', 'in', tickets)
    .where('number', '=', 1)
    .unionAll(db.selectFrom('ticket_tombstone').select('ticket').where('ticket', 'in', tickets));
}

/** The literal lets SQLite see that it can use the partial index. */
export function selectWaiting(db: Kysely<PipelineSchema>, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .orderBy('id')
    .limit(limit);
}

/** The first team after the given one for which a ticket waits: one step in the index for each, however many wait. */
export function selectWaitingTeam(db: Kysely<PipelineSchema>, after: string) {
  return db
    .selectFrom('routing_decision')
    .select('waiting_team')
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .where('waiting_team', '>', after)
    .orderBy('waiting_team')
    .limit(1);
}

export function selectWaitingIn(
  db: Kysely<PipelineSchema>,
  { team, after, limit }: { team: string; after: number; limit: number },
) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'ticket'])
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .where('waiting_team', '=', team)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}

/** The condition that there is an open claim at all lets SQLite use the partial index. */
export function selectOpenClaims(db: Kysely<PipelineSchema>, orgIds: readonly string[]) {
  return db
    .selectFrom('routing_decision')
    .select('ticket')
    .where('open_claim', 'is not', null)
    .where('open_claim', 'in', orgIds);
}

export function selectPage(db: Kysely<PipelineSchema>, after: number, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '>', after)
    .where('latest', '=', 1)
    .orderBy('id')
    .limit(limit);
}

/** The other way round: the newest before an id come first. */
export function selectNewest(db: Kysely<PipelineSchema>, before: number, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '<', before)
    .where('latest', '=', 1)
    .orderBy('id', 'desc')
    .limit(limit);
}

/** The newest decision up to an id. */
export function selectUpTo(db: Kysely<PipelineSchema>, id: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '<=', id)
    .orderBy('id', 'desc')
    .limit(1);
}

/** How many tickets have a decision: each has exactly one with number 1. */
export function countDecided(db: Kysely<PipelineSchema>) {
  return db
    .selectFrom('routing_decision')
    .select(({ fn }) => fn.countAll<number>().as('decided'))
    .where('number', '=', 1);
}

export function insertSight(db: Kysely<PipelineSchema>, row: PipelineSchema['first_sight']) {
  return db
    .insertInto('first_sight')
    .values(row)
    .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doNothing());
}

export function selectSight(db: Kysely<PipelineSchema>, ticket: string, creation: string) {
  return db.selectFrom('first_sight').select('sight').where('ticket', '=', ticket).where('creation', '=', creation);
}

/** Of several tickets that had the name, the last. */
export function selectLastSight(db: Kysely<PipelineSchema>, ticket: string) {
  return db.selectFrom('first_sight').select('sight').where('ticket', '=', ticket).orderBy('creation', 'desc').limit(1);
}

/** What events said of the insert. */
export function selectInserted(db: Kysely<PipelineSchema>, ticket: string) {
  return db
    .selectFrom('ticket_event')
    .select('inserted')
    .where('ticket', '=', ticket)
    .where('inserted', 'is not', null);
}

export function insertPreliminary(db: Kysely<PipelineSchema>, decision: PreliminaryDecision) {
  return db
    .insertInto('preliminary_decision')
    .values(decision)
    .onConflict((conflict) => conflict.column('key').doNothing());
}

export function selectPreliminary(db: Kysely<PipelineSchema>, key: string) {
  return db.selectFrom('preliminary_decision').selectAll().where('key', '=', key);
}

export function deletePreliminary(db: Kysely<PipelineSchema>, before: number, limit: number) {
  return db
    .deleteFrom('preliminary_decision')
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('preliminary_decision as old').select('old.key').where('old.at', '<', before).limit(limit),
    );
}
