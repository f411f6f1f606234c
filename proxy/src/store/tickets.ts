import { OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { OnConflictBuilder } from 'kysely';
import * as z from 'zod';
import type { InsertedTicket } from '#helpdesk/tickets.ts';
import { chunksOf } from './chunks.ts';
import { engineOf } from './engine.ts';
import { longestLeaseMs } from './longest-lease.ts';
import { forgetTicket, isBare, noteInUse, noteTickets } from './records.ts';
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

// What waits in the inbox, and what is deleted of it.

/** Which of these tickets are waiting or being worked on. */
export async function waitingAmong(db: StateDb, tickets: readonly string[]): Promise<Set<string>> {
  const queued = new Set<string>();
  for (const chunk of chunksOf(tickets)) {
    const rows = await db
      .selectFrom('ticket_work')
      .select('ticket')
      .where('ticket', 'in', chunk)
      .where('due_at', 'is not', null)
      .execute();
    for (const { ticket } of rows) queued.add(ticket);
  }
  return queued;
}

/** When the last event about this ticket came in (epoch milliseconds); null if none has. */
export async function lastEventAt(db: StateDb, ticket: string): Promise<number | null> {
  const { at } = await db
    .selectFrom('ticket_event')
    .select(({ fn }) => fn.max('received_at').as('at'))
    .where('ticket', '=', ticket)
    .executeTakeFirstOrThrow();
  return at === null ? null : Number(at);
}

/** How many tickets are waiting or being worked on. Counts through an index that contains only these. */
export async function waiting(db: StateDb): Promise<number> {
  const { count } = await db
    .selectFrom('ticket_work')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes events from before the given time, at most `limit`; returns how many. */
export async function deleteEventsBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_event')
    .where('digest', 'in', ({ selectFrom }) =>
      selectFrom('ticket_event as old').select('old.digest').where('old.received_at', '<', moment).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The same for tickets that were finished and last came in before that time. */
export async function deleteFinishedBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_work')
    // Repeated, so that a ticket that has come in again meanwhile stays.
    .where('due_at', 'is', null)
    .where('ticket', 'in', ({ selectFrom }) =>
      selectFrom('ticket_work as old')
        .select('old.ticket')
        .where('old.due_at', 'is', null)
        .where('old.since', '<', moment)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

// What tickets were like when they were inserted, as the signed webhook told it, and which org ids they have carried: our
// own record, which trust rests on (docs/decisions.md 9). Of a ticket whose decisions were deleted name and creation stay.

/** A ticket as its insert left it. `creation`: the helpdesk's timestamp, which tells tickets apart that had the same name. */
export interface Insert extends Omit<InsertedTicket, 'orgIdFields'> {
  orgIds: OrgId[];
}

/** A ticket that has carried an org id. `insert`: null where no webhook told of it. */
interface Carrying {
  ticket: string;
  creation: string;
  insert: Insert | null;
}

const Kept = z.object({
  owner: z.string(),
  raisedBy: z.string().nullable(),
  contact: z.string().nullable(),
  agentGroup: z.string().nullable(),
  splitFrom: z.string().nullable(),
  orgIds: z.array(OrgId),
});

/** Notes which org ids a ticket carries for its sender, if both are there, whether or not a webhook told of it. Repeatable. */
export async function noteCarried(
  db: StateDb,
  { ticket, creation, raisedBy, orgIds }: Pick<Insert, 'creation' | 'raisedBy' | 'orgIds'> & { ticket: string },
  at: number,
): Promise<void> {
  const sender = addressOf(raisedBy);
  if (sender === null || orgIds.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, ticket, at);
    const known = await trx
      .selectFrom('ticket_insert')
      .select('org_ids')
      .where('ticket', '=', ticket)
      .where('creation', '=', creation)
      .executeTakeFirst();
    const before = known ? carriedIn(known.org_ids) : [];
    const org_ids = JSON.stringify([...new Set([...before, ...orgIds])]);
    const row = { ticket, creation, sender, inserted: null, org_ids, at };
    await trx
      .insertInto('ticket_insert')
      .values(row)
      .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doUpdateSet({ org_ids }))
      .execute();
  });
}

/** What the webhook told of a ticket; null if none did. */
export async function insertOf(db: StateDb, ticket: string, creation: string): Promise<Insert | null> {
  const row = await db
    .selectFrom('ticket_insert')
    .selectAll()
    .where('ticket', '=', ticket)
    .where('creation', '=', creation)
    .executeTakeFirst();
  return row ? insertIn(row) : null;
}

/** The same by the name alone: of several tickets that had it, the last. */
export async function latestInsertOf(db: StateDb, ticket: string): Promise<Insert | null> {
  const row = await db
    .selectFrom('ticket_insert')
    .selectAll()
    .where('ticket', '=', ticket)
    .orderBy('creation', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? insertIn(row) : null;
}

/** The sender's tickets that came with the org id or have carried it since. `sender` in lower case. */
export async function carrying(db: StateDb, sender: string, orgId: OrgId): Promise<Carrying[]> {
  const quoted = `%"${orgId}"%`;
  const rows = await db
    .selectFrom('ticket_insert')
    .selectAll()
    .where('sender', '=', sender)
    // A webhook that came after the sweep fills `inserted` alone.
    .where((is) => is.or([is('org_ids', 'like', quoted), is('inserted', 'like', quoted)]))
    .execute();
  return rows.map((row) => ({ ticket: row.ticket, creation: row.creation, insert: insertIn(row) }));
}

/** Whether the ticket's decisions have been deleted (docs/decisions.md 27). */
export async function isForgotten(db: StateDb, ticket: string, creation: string): Promise<boolean> {
  const row = await db
    .selectFrom('ticket_insert')
    .select('ticket')
    .where('ticket', '=', ticket)
    .where('creation', '=', creation)
    .where(isBare)
    .executeTakeFirst();
  return row !== undefined;
}

function insertIn({ creation, inserted }: StateSchema['ticket_insert']): Insert | null {
  return inserted === null ? null : { creation, ...Kept.parse(JSON.parse(inserted)) };
}

function carriedIn(org_ids: string): OrgId[] {
  return z.array(OrgId).parse(JSON.parse(org_ids));
}

/**
 * Keeps what the webhook told of a ticket's insert. A row that the sweep made first, which names a sender, is filled; what a
 * webhook told is never written over, and a ticket that was forgotten stays so.
 */
export async function keepInsert(
  db: StateDb,
  ticket: string,
  { creation, orgIdFields, ...inserted }: InsertedTicket,
  at: number,
): Promise<void> {
  const orgIds = [...new Set(orgIdFields.flatMap(({ value }) => parseOrgId(value) ?? []))];
  const told = JSON.stringify({ ...inserted, orgIds });
  const row = { ticket, creation, sender: addressOf(inserted.raisedBy), inserted: told, at };
  await noteInUse(db, ticket, at);
  await db
    .insertInto('ticket_insert')
    .values({ ...row, org_ids: JSON.stringify(orgIds) })
    .onConflict((conflict) =>
      conflict
        .columns(['ticket', 'creation'])
        .doUpdateSet({ inserted: told })
        .where('ticket_insert.inserted', 'is', null)
        .where('ticket_insert.sender', 'is not', null),
    )
    .execute();
}

/** An address as it is compared. */
function addressOf(raisedBy: string | null): string | null {
  return raisedBy?.trim().toLowerCase() || null;
}

// How long each ticket's records have to be kept (docs/decisions.md 27). A ticket counts as in use whenever something
// about it is recorded, and whenever a look at the helpdesk shows that it is.

/** A ticket of which something is kept, and when it was last known to be in use (epoch milliseconds). */
export interface RememberedTicket {
  ticket: string;
  activeAt: number;
  /** Whether the helpdesk no longer had it when it was last looked at. */
  gone: boolean;
}

/** Tickets that were last in use before the moment (epoch milliseconds), longest ago first. */
export async function lastActiveBefore(db: StateDb, moment: number, limit: number): Promise<RememberedTicket[]> {
  const rows = await db
    .selectFrom('ticket_memory')
    .select(['ticket', 'active_at', 'gone'])
    .where('active_at', '<', moment)
    .orderBy('active_at')
    .limit(limit)
    .execute();
  return rows.map(({ ticket, active_at, gone }) => ({ ticket, activeAt: active_at, gone: gone === 1 }));
}

/** Notes what a look at the helpdesk has shown. A later `activeAt` that is known already stays. */
export async function noteInUseOf(db: StateDb, seen: readonly RememberedTicket[]): Promise<void> {
  if (seen.length === 0) return;
  // In a fixed order, so that two processes never wait for each other's rows.
  const rows = seen.toSorted((a, b) => (a.ticket < b.ticket ? -1 : 1));
  await noteTickets(
    db,
    rows.map(({ ticket, activeAt, gone }) => ({ ticket, active_at: activeAt, gone: gone ? 1 : 0 })),
  );
}

/**
 * Deletes everything that is kept about a ticket, except name and creation of what was decided. False, and nothing is deleted, if it has been in use since the moment.
 */
export function forget(db: StateDb, ticket: string, moment: number, now: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Comes first, so that nothing is recorded about it meanwhile.
    const forgotten = await trx
      .deleteFrom('ticket_memory')
      .where('ticket', '=', ticket)
      .where('active_at', '<', moment)
      .returning('ticket')
      .executeTakeFirst();
    if (forgotten === undefined) return false;
    await forgetTicket(trx, ticket, now);
    return true;
  });
}
