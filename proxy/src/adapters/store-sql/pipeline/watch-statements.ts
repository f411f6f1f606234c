import type { Kysely } from 'kysely';
import type { PipelineSchema } from './pipeline-schema.ts';

// All statements of the pipeline's watch are in this file, so that the test of the query plans sees them.

/** Work that should have been done by now. */
export function countDue(db: Kysely<PipelineSchema>, now: number) {
  return db
    .selectFrom('ticket_work')
    .select(({ fn }) => [fn.countAll<number>().as('tickets'), fn.min('due_at').as('since')])
    .where('due_at', '<=', now);
}

/** The literal lets SQLite see that it can use the partial index. */
export function countWaiting(db: Kysely<PipelineSchema>) {
  return db
    .selectFrom('routing_decision')
    .select(({ fn }) => [fn.countAll<number>().as('tickets'), fn.min('id').as('first')])
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)));
}

export function selectDecision(db: Kysely<PipelineSchema>, id: number) {
  return db.selectFrom('routing_decision').select('decision').where('id', '=', id);
}

/** Newest first: those before the given id. `event`: whether a webhook has come for the ticket, at whatever time. */
export function selectBefore(db: Kysely<PipelineSchema>, before: number, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(({ exists, selectFrom }) => [
      'id',
      'latest',
      'decision',
      exists(
        selectFrom('ticket_event')
          .select('ticket_event.ticket')
          .whereRef('ticket_event.ticket', '=', 'routing_decision.ticket'),
      ).as('event'),
    ])
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit);
}
