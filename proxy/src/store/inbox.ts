import type { OnConflictBuilder } from 'kysely';
import type { InsertedTicket } from '#helpdesk/helpdesk-tickets.ts';
import { chunksOf } from './chunks.ts';
import { engineOf } from './engine.ts';
import { keepInsert } from './keep-insert.ts';
import { longestLeaseMs } from './longest-lease.ts';
import type { StateDb, StateSchema } from './schema.ts';

// The queue of tickets for the pipeline. What `accept` has confirmed survives `kill -9`. Only one process works on a
// ticket at a time; the claim of a process that died expires.

/** A ticket that the pipeline needs to look at. */
export interface TicketWork {
  ticket: string;
  /** How we first heard of it: from an event, or by the sweep. */
  cause: 'webhook' | 'sweep';
  /** Epoch milliseconds when we first heard of the ticket, or heard of it again after it was finished. */
  since: number;
  /** How often it has been postponed since then. */
  attempts: number;
  /** The version of the work that was claimed; `finish` and `postpone` of an older one leave a newer one waiting. */
  revision: number;
}

/** An event about a ticket: the digest of its body, and what it says of the insert. `at` in epoch milliseconds. */
interface TicketEvent {
  digest: string;
  ticket: string;
  inserted?: InsertedTicket | null;
  at: number;
}

/**
 * Stores an event with what it says of the insert, and queues its ticket, in one transaction. Events are identified by the
 * digest of their body: the same one again has no effect, in any order.
 */
export async function accept(
  db: StateDb,
  { digest, ticket, inserted, at }: TicketEvent,
): Promise<'accepted' | 'known'> {
  const event = { digest, ticket, received_at: at };
  // Told again it changes nothing, so on PostgreSQL it may stand by itself.
  if (inserted && engineOf(db) === 'postgres') await keepInsert(db, ticket, inserted, at);
  if (engineOf(db) === 'postgres') return acceptAtOnce(db, event);
  return db.transaction().execute(async (trx) => {
    const isNew = await insertEvent(trx, event).executeTakeFirst();
    if (!isNew) return 'known';
    if (inserted) await keepInsert(trx, ticket, inserted, at);
    await putWork(trx, [{ ticket, cause: 'webhook', since: at, due_at: at }]);
    return 'accepted';
  });
}

/**
 * In one statement, which SQLite does not know. In two, the ticket would stay locked from one to the next, and on a busy
 * machine a process waits for its turn in between.
 */
async function acceptAtOnce(db: StateDb, event: StateSchema['ticket_event']): Promise<'accepted' | 'known'> {
  const { ticket, received_at: at } = event;
  const isNew = await db
    .with('event', (creator) => insertEvent(creator, event))
    .with('work', (creator) =>
      creator
        .insertInto('ticket_work')
        .columns(['ticket', 'cause', 'since', 'due_at', 'attempts', 'revision'])
        .expression(({ selectFrom, cast, val, lit }) =>
          selectFrom('event').select([
            cast<string>(val(ticket), 'text').as('ticket'),
            val('webhook' as const).as('cause'),
            cast<number>(val(at), 'bigint').as('since'),
            cast<number>(val(at), 'bigint').as('due_at'),
            lit(0).as('attempts'),
            lit(1).as('revision'),
          ]),
        )
        .onConflict(orAgain),
    )
    .selectFrom('event')
    .select('digest')
    .executeTakeFirst();
  return isNew ? 'accepted' : 'known';
}

/** Inserts an event; returns a row unless it was known. */
function insertEvent(db: Pick<StateDb, 'insertInto'>, event: StateSchema['ticket_event']) {
  return db
    .insertInto('ticket_event')
    .values(event)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest');
}

/** Queues tickets, due at the given time; one that is already waiting stays due at its own time if that is earlier. */
export async function enqueue(db: StateDb, tickets: readonly string[], dueAt: number, now: number): Promise<void> {
  // In a fixed order, so that two processes never wait for each other's rows.
  const rows = [...new Set(tickets)]
    .sort()
    .map((ticket) => ({ ticket, cause: 'sweep' as const, since: now, due_at: dueAt }));
  for (const chunk of chunksOf(rows)) await putWork(db, chunk);
}

type NewWork = Pick<StateSchema['ticket_work'], 'ticket' | 'cause' | 'since'> & { due_at: number };

async function putWork(db: StateDb, rows: readonly NewWork[]): Promise<void> {
  await db
    .insertInto('ticket_work')
    .values(rows.map((row) => ({ ...row, attempts: 0, revision: 1 })))
    .onConflict(orAgain)
    .execute();
}

/** A finished one starts over; a waiting one may become due earlier; one that is worked on is due again when that ends. */
function orAgain(conflict: OnConflictBuilder<StateSchema, 'ticket_work'>) {
  return conflict
    .column('ticket')
    .doUpdateSet(({ case: either, eb, ref, or }) => {
      const isFinished = eb('ticket_work.due_at', 'is', null);
      return {
        cause: either().when(isFinished).then(ref('excluded.cause')).else(ref('ticket_work.cause')).end(),
        since: either().when(isFinished).then(ref('excluded.since')).else(ref('ticket_work.since')).end(),
        attempts: either().when(isFinished).then(eb.lit(0)).else(ref('ticket_work.attempts')).end(),
        due_at: either()
          .when(or([isFinished, eb('ticket_work.due_at', '>', ref('excluded.due_at'))]))
          .then(ref('excluded.due_at'))
          .else(ref('ticket_work.due_at'))
          .end(),
        revision: eb('ticket_work.revision', '+', eb.lit(1)),
      };
    })
    .where(({ eb, or, ref }) =>
      or([
        eb('ticket_work.due_at', 'is', null),
        eb('ticket_work.due_at', '>', ref('excluded.due_at')),
        eb('ticket_work.claimed_by', 'is not', null),
      ]),
    );
}

/**
 * Claims due tickets for the given time, at most `longestLeaseMs`: those due first, and among these those that have waited
 * longest.
 */
export async function claim(
  db: StateDb,
  owner: string,
  { limit, now, leaseMs }: { limit: number; now: number; leaseMs: number },
): Promise<TicketWork[]> {
  const claimed = await db
    .with('due', (creator) =>
      creator
        .selectFrom('ticket_work')
        .select('ticket')
        .where('due_at', '<=', now)
        .where(({ eb, or }) =>
          or([
            eb('claimed_until', 'is', null),
            eb('claimed_until', '<=', now),
            // Dated by a clock that has since been set back.
            eb('claimed_until', '>', now + longestLeaseMs),
          ]),
        )
        .orderBy('due_at')
        .orderBy('since')
        .limit(limit)
        // SQLite has a single writer and no such clause.
        .$if(engineOf(db) === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('ticket_work')
    .set({ claimed_by: owner, claimed_until: now + Math.min(leaseMs, longestLeaseMs) })
    .where('ticket', 'in', ({ selectFrom }) => selectFrom('due').select('due.ticket'))
    .returning(['ticket', 'cause', 'since', 'attempts', 'revision', 'due_at'])
    .execute();
  return claimed
    .sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || a.since - b.since)
    .map(({ due_at, ...work }) => work);
}

/** Nothing is left to do of them, unless something came in after the claim. */
export async function finish(
  db: StateDb,
  works: readonly Pick<TicketWork, 'ticket' | 'revision'>[],
  owner: string,
): Promise<void> {
  for (const [revision, of] of Map.groupBy(works, (work) => work.revision))
    for (const chunk of chunksOf(of.map(({ ticket }) => ticket)))
      await db
        .updateTable('ticket_work')
        .set(({ case: either, eb, ref }) => ({
          claimed_by: null,
          claimed_until: null,
          due_at: either().when('revision', '=', revision).then(eb.lit(null)).else(ref('due_at')).end(),
        }))
        .where('ticket', 'in', chunk)
        .where('claimed_by', '=', owner)
        .execute();
}

/** Ends claims of work that was not begun: it stays due. */
export async function giveBack(
  db: StateDb,
  works: readonly Pick<TicketWork, 'ticket'>[],
  owner: string,
): Promise<void> {
  for (const chunk of chunksOf(works.map(({ ticket }) => ticket)))
    await db
      .updateTable('ticket_work')
      .set({ claimed_by: null, claimed_until: null })
      .where('ticket', 'in', chunk)
      .where('claimed_by', '=', owner)
      .execute();
}

/** To be looked at again at the given time, or at once if something came in after the claim. */
export async function postpone(
  db: StateDb,
  { ticket, revision }: Pick<TicketWork, 'ticket' | 'revision'>,
  owner: string,
  dueAt: number,
): Promise<void> {
  await db
    .updateTable('ticket_work')
    .set(({ case: either, eb, ref }) => ({
      claimed_by: null,
      claimed_until: null,
      attempts: eb('attempts', '+', eb.lit(1)),
      due_at: either().when('revision', '=', revision).then(eb.val(dueAt)).else(ref('due_at')).end(),
    }))
    .where('ticket', '=', ticket)
    .where('claimed_by', '=', owner)
    .execute();
}
