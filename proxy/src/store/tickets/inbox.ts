import type { OnConflictBuilder } from 'kysely';
import type { Inbox } from '#ports/intake/inbox.ts';
import { longestLeaseMs } from '#ports/runtime/lease.ts';
import { chunksOf } from '#store/engine/chunks.ts';
import { type EngineName, engineOf } from '#store/engine/engine.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';

/** The inbox on any database that Kysely supports. A claim lasts at most `longestLeaseMs`. */
export function createInbox(db: StateDb): Inbox {
  const engine = engineOf(db);
  return {
    async accept({ digest, ticket, inserted, at }) {
      const event = { digest, ticket, received_at: at, inserted: inserted ? JSON.stringify(inserted) : null };
      if (engine === 'postgres') {
        const isNew = await acceptEvent(db, event).executeTakeFirst();
        return isNew ? 'accepted' : 'known';
      }
      return db.transaction().execute(async (trx) => {
        const isNew = await insertEvent(trx, event).executeTakeFirst();
        if (!isNew) return 'known';
        await putWork(trx, [{ ticket, cause: 'webhook', since: at, due_at: at }]).execute();
        return 'accepted';
      });
    },

    async enqueue(tickets, dueAt, now) {
      // In a fixed order, so that two processes never wait for each other's rows.
      const rows = [...new Set(tickets)]
        .sort()
        .map((ticket) => ({ ticket, cause: 'sweep' as const, since: now, due_at: dueAt }));
      for (const chunk of chunksOf(rows)) await putWork(db, chunk).execute();
    },

    async claim(owner, { limit, now, leaseMs }) {
      const until = now + Math.min(leaseMs, longestLeaseMs);
      const claimed = await claimWork(db, engine, { owner, until, limit, now }).execute();
      return claimed
        .sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || a.since - b.since)
        .map(({ due_at, ...work }) => work);
    },

    async finish({ ticket, revision }, owner) {
      await finishWork(db, [ticket], revision, owner).execute();
    },

    async finishAll(works, owner) {
      for (const [revision, of] of Map.groupBy(works, (work) => work.revision))
        for (const chunk of chunksOf(of.map(({ ticket }) => ticket)))
          await finishWork(db, chunk, revision, owner).execute();
    },

    async giveBack(works, owner) {
      for (const chunk of chunksOf(works.map(({ ticket }) => ticket))) await giveBackWork(db, chunk, owner).execute();
    },

    async postpone({ ticket, revision }, owner, dueAt) {
      await postponeWork(db, ticket, { revision, owner, dueAt }).execute();
    },

    async waitingAmong(tickets) {
      const queued = new Set<string>();
      for (const chunk of chunksOf(tickets))
        for (const { ticket } of await selectQueued(db, chunk).execute()) queued.add(ticket);
      return queued;
    },

    async waiting() {
      return (await countWork(db).executeTakeFirstOrThrow()).waiting;
    },

    async deleteEventsBefore(moment, limit) {
      const { numDeletedRows } = await deleteEvents(db, moment, limit).executeTakeFirst();
      return Number(numDeletedRows);
    },

    async deleteFinishedBefore(moment, limit) {
      const { numDeletedRows } = await deleteFinished(db, moment, limit).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Inserts an event; returns a row unless it was known. */
function insertEvent(db: Pick<StateDb, 'insertInto'>, event: StateSchema['ticket_event']) {
  return db
    .insertInto('ticket_event')
    .values(event)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest');
}

type NewWork = Pick<StateSchema['ticket_work'], 'ticket' | 'cause' | 'since'> & { due_at: number };

/**
 * Queues tickets. A finished one starts over; a waiting one may become due earlier; one that is being worked on is due
 * again when that work ends.
 */
function putWork(db: StateDb, rows: readonly NewWork[]) {
  return db
    .insertInto('ticket_work')
    .values(rows.map((row) => ({ ...row, attempts: 0, revision: 1 })))
    .onConflict(orAgain);
}

/**
 * Inserts an event and queues its ticket, in one statement, which SQLite does not know; returns a row unless it was known. In
 * two, the ticket would stay locked from one to the next, and on a busy machine a process waits for its turn in between.
 */
function acceptEvent(db: StateDb, event: StateSchema['ticket_event']) {
  const { ticket, received_at: at } = event;
  return db
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
    .select('digest');
}

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

/** Claims what is due and unclaimed and returns it, in no particular order. */
function claimWork(
  db: StateDb,
  engine: EngineName,
  { owner, until, limit, now }: { owner: string; until: number; limit: number; now: number },
) {
  return db
    .with('due', (db) =>
      db
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
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('ticket_work')
    .set({ claimed_by: owner, claimed_until: until })
    .where('ticket', 'in', ({ selectFrom }) => selectFrom('due').select('due.ticket'))
    .returning(['ticket', 'cause', 'since', 'attempts', 'revision', 'due_at']);
}

/** Ends claims and, of tickets for which nothing came in since, the work. All of one revision. */
function finishWork(db: StateDb, tickets: readonly string[], revision: number, owner: string) {
  return db
    .updateTable('ticket_work')
    .set(({ case: either, eb, ref }) => ({
      claimed_by: null,
      claimed_until: null,
      due_at: either().when('revision', '=', revision).then(eb.lit(null)).else(ref('due_at')).end(),
    }))
    .where('ticket', 'in', tickets)
    .where('claimed_by', '=', owner);
}

/** Ends claims and nothing else. */
function giveBackWork(db: StateDb, tickets: readonly string[], owner: string) {
  return db
    .updateTable('ticket_work')
    .set({ claimed_by: null, claimed_until: null })
    .where('ticket', 'in', tickets)
    .where('claimed_by', '=', owner);
}

/** Ends a claim and, if nothing came in since, postpones the work; otherwise it stays due. */
function postponeWork(
  db: StateDb,
  ticket: string,
  { revision, owner, dueAt }: { revision: number; owner: string; dueAt: number },
) {
  return db
    .updateTable('ticket_work')
    .set(({ case: either, eb, ref }) => ({
      claimed_by: null,
      claimed_until: null,
      attempts: eb('attempts', '+', eb.lit(1)),
      due_at: either().when('revision', '=', revision).then(eb.val(dueAt)).else(ref('due_at')).end(),
    }))
    .where('ticket', '=', ticket)
    .where('claimed_by', '=', owner);
}

function selectQueued(db: StateDb, tickets: readonly string[]) {
  return db.selectFrom('ticket_work').select('ticket').where('ticket', 'in', tickets).where('due_at', 'is not', null);
}

/** Counts through an index that contains only the waiting tickets. */
function countWork(db: StateDb) {
  return db
    .selectFrom('ticket_work')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('due_at', 'is not', null);
}

function deleteEvents(db: StateDb, before: number, limit: number) {
  return db
    .deleteFrom('ticket_event')
    .where('digest', 'in', ({ selectFrom }) =>
      selectFrom('ticket_event as old').select('old.digest').where('old.received_at', '<', before).limit(limit),
    );
}

export function deleteEventsOf(db: StateDb, ticket: string) {
  return db.deleteFrom('ticket_event').where('ticket', '=', ticket);
}

/** The condition is repeated, so that a ticket that has come in again meanwhile stays. */
function deleteFinished(db: StateDb, before: number, limit: number) {
  return db
    .deleteFrom('ticket_work')
    .where('due_at', 'is', null)
    .where('ticket', 'in', ({ selectFrom }) =>
      selectFrom('ticket_work as old')
        .select('old.ticket')
        .where('old.due_at', 'is', null)
        .where('old.since', '<', before)
        .limit(limit),
    );
}
