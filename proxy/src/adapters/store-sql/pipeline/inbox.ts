import type { Kysely } from 'kysely';
import { chunksOf } from '#adapters/store-sql/engine/chunks.ts';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';
import type { Inbox, SweepMark } from '#ports/intake/inbox.ts';
import { longestLeaseMs } from '#ports/runtime/lease.ts';
import {
  acceptEvent,
  claimWork,
  countWork,
  deleteEvents,
  deleteFinished,
  finishWork,
  giveBackWork,
  insertEvent,
  postponeWork,
  putMark,
  putWork,
  selectMark,
  selectQueued,
} from './inbox-statements.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

/** The inbox on any database that Kysely supports. A claim lasts at most `longestLeaseMs`. */
export function createInbox(db: Kysely<PipelineSchema>, engine: EngineName): Inbox {
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

/** The sweep's mark as one row. */
export function createSweepMark(db: Kysely<PipelineSchema>): SweepMark {
  return {
    async read() {
      const row = await selectMark(db).executeTakeFirst();
      return row === undefined ? null : { from: row.from_stamp, until: row.until_stamp };
    },
    async write(mark) {
      await putMark(db, mark).execute();
    },
  };
}
