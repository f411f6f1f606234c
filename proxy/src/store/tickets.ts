import { senderIn } from '@deskside/shared/mail-address';
import { OrgId } from '@deskside/shared/orgid';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { engineOf } from './engine.ts';
import { fixedRead } from './fixed-read.ts';
import { longestLeaseMs } from './leases.ts';
import { noteInUse } from './retention.ts';
import { chunksOf, inOrder, isOneOf, isTicket, type StateDb } from './schema.ts';

// The tickets to work on, and what is kept of each: its insert as the signed webhook told it, which trust rests on
// (decision 7: who vouches). What `accept` has confirmed survives `kill -9`. Only one process works on a ticket at a time; what a
// process that died has taken is free again after a while.

const InsertRecord = z.object({
  owner: z.string(),
  raisedBy: z.string().nullable(),
  contact: z.string().nullable(),
  agentGroup: z.string().nullable(),
  /** The ticket that it was split from. */
  splitFrom: z.string().nullable(),
  /** Each once. */
  orgIds: z.array(OrgId),
});

/** A ticket as its insert left it, before anybody wrote to it again, as the signed webhook tells it. */
export interface Insert extends z.output<typeof InsertRecord> {
  creation: string;
}

/** A ticket that the pipeline needs to look at. */
export interface TicketWork extends TicketKey {
  foundBy: 'webhook' | 'sweep';
  /** Epoch milliseconds when we first heard of the ticket, or heard of it again after it was finished. */
  since: number;
  /** How often it has been postponed since then. */
  attempts: number;
  /** The version of the work that was taken; `finish` and `postpone` of an older one leave a newer one waiting. */
  revision: number;
}

const Owners = z.array(z.object({ orgId: OrgId, email: z.string() }));

/** What becomes of the work on a ticket that comes in again: `enqueue` says it. */
const workAgain = {
  found_by: sql<'webhook' | 'sweep'>`case when tickets.due_at is null then excluded.found_by else tickets.found_by end`,
  since: sql<number>`case when tickets.due_at is null then excluded.since else tickets.since end`,
  attempts: sql<number>`case when tickets.due_at is null then 0 else tickets.attempts end`,
  due_at: sql<number>`case when tickets.due_at is null or tickets.due_at > excluded.due_at
    then excluded.due_at else tickets.due_at end`,
  revision: sql<number>`tickets.revision + 1`,
};

/**
 * Keeps what the webhook told of a ticket's insert, and has the ticket worked on: both or neither. An insert that is known
 * stays, and a ticket that was forgotten stays so: told again, in any order, it has no effect. `at` in epoch milliseconds.
 */
export function accept(
  db: StateDb,
  name: string,
  { creation, ...told }: Insert,
  at: number,
): Promise<'accepted' | 'known'> {
  const insert = { inserted: JSON.stringify(told satisfies z.input<typeof InsertRecord>), told_at: at, active_at: at };
  const work = { found_by: 'webhook', since: at, due_at: at, revision: 1 } as const;
  async function put(on: StateDb): Promise<'accepted' | 'known'> {
    const kept = await on
      .insertInto('tickets')
      .values({ ticket: name, creation, ...insert, ...work })
      .onConflict((conflict) =>
        conflict
          .columns(['ticket', 'creation'])
          .doUpdateSet({ ...insert, ...workAgain })
          .where('tickets.inserted', 'is', null)
          .where('tickets.forgotten', '=', 0),
      )
      .returning('ticket')
      .executeTakeFirst();
    if (!kept) return 'known';
    await putClaims(on, { name, creation }, told.raisedBy, told.orgIds);
    return 'accepted';
  }
  // By itself where one statement does it: no row stays locked while the process waits for its turn.
  return told.orgIds.length === 0 ? put(db) : db.transaction().execute(put);
}

/** Notes which org ids a ticket carries for its sender, if both are there, whether or not a webhook told of it. Repeatable. */
export async function noteCarried(
  db: StateDb,
  { raisedBy, orgIds, ...key }: TicketKey & Pick<Insert, 'raisedBy' | 'orgIds'>,
  at: number,
): Promise<void> {
  if (senderIn(raisedBy) === null || orgIds.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, key, at);
    await putClaims(trx, key, raisedBy, orgIds);
  });
}

async function putClaims(db: StateDb, { name, creation }: TicketKey, raisedBy: string | null, orgIds: OrgId[]) {
  const sender = senderIn(raisedBy);
  if (sender === null || orgIds.length === 0) return;
  await db
    .insertInto('claims')
    .values(orgIds.map((org_id) => ({ sender, org_id, ticket: name, creation })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What the webhook told of a ticket; null if none did. */
export async function insertOf(db: StateDb, key: TicketKey): Promise<Insert | null> {
  const row = await rowOf(db, key);
  return row ? insertIn(row) : null;
}

const rowsOf = fixedRead((db, name: string, creation: string) =>
  db.selectFrom('tickets').selectAll().where(isTicket({ name, creation })),
);

async function rowOf(db: StateDb, { name, creation }: TicketKey) {
  return (await rowsOf(db, name, creation))[0];
}

/** The same by the name alone: of several tickets that had it, the last. */
export async function latestInsertOf(db: StateDb, name: string): Promise<Insert | null> {
  const row = await db
    .selectFrom('tickets')
    .select(['creation', 'inserted'])
    .where('ticket', '=', name)
    .orderBy('creation', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? insertIn(row) : null;
}

/** Notes, before it is written to the ticket, which address of a company's account owner that is. Repeatable. */
export async function noteOwner(db: StateDb, key: TicketKey, orgId: OrgId, email: string, at: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, key, at);
    const known = await ownersOn(trx, key);
    if (known.some((one) => one.orgId === orgId && one.email === email)) return;
    await trx
      .updateTable('tickets')
      .set({ owners: JSON.stringify([...known, { orgId, email }] satisfies z.input<typeof Owners>) })
      .where(isTicket(key))
      .execute();
  });
}

/** The addresses of this company's account owners that we have written to the ticket. */
export async function ownersOf(db: StateDb, key: TicketKey, orgId: OrgId): Promise<string[]> {
  return (await ownersOn(db, key)).flatMap((one) => (one.orgId === orgId ? [one.email] : []));
}

async function ownersOn(db: StateDb, key: TicketKey): Promise<z.output<typeof Owners>> {
  const row = await rowOf(db, key);
  return Owners.parse(JSON.parse(row?.owners ?? '[]'));
}

/**
 * The tickets that came with the org id for this sender, or have carried it since. `sender` in lower case. `insert`: null where
 * no webhook told of it.
 */
export async function carrying(db: StateDb, sender: string, orgId: OrgId) {
  const rows = await db
    .selectFrom('claims')
    .leftJoin('tickets', (join) =>
      join.onRef('tickets.ticket', '=', 'claims.ticket').onRef('tickets.creation', '=', 'claims.creation'),
    )
    .select(['claims.ticket', 'claims.creation', 'tickets.inserted'])
    .where('claims.sender', '=', sender)
    .where('claims.org_id', '=', orgId)
    .execute();
  return rows.map(({ ticket, creation, inserted }) => ({
    name: ticket,
    creation,
    insert: insertIn({ creation, inserted }),
  }));
}

function insertIn({ creation, inserted }: { creation: string; inserted: string | null }): Insert | null {
  return inserted === null ? null : { creation, ...InsertRecord.parse(JSON.parse(inserted)) };
}

/**
 * Has tickets worked on, due at the given time: a finished one starts over, one that waits stays due at its own time if that is
 * earlier, and one that is worked on is due again when that ends. Times in epoch milliseconds.
 */
export async function enqueue(
  db: StateDb,
  keys: readonly TicketKey[],
  { dueAt, now, foundBy = 'sweep' }: { dueAt: number; now: number; foundBy?: TicketWork['foundBy'] },
): Promise<void> {
  const work = { due_at: dueAt, since: now, found_by: foundBy, revision: 1 };
  const rows = inOrder(keys).map(({ name, creation }) => ({ ticket: name, creation, ...work }));
  for (const chunk of chunksOf(rows))
    await db
      .insertInto('tickets')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['ticket', 'creation'])
          .doUpdateSet(workAgain)
          .where(({ eb, or, ref }) =>
            or([
              eb('tickets.due_at', 'is', null),
              eb('tickets.due_at', '>', ref('excluded.due_at')),
              eb('tickets.taken_by', 'is not', null),
            ]),
          ),
      )
      .execute();
}

/** The same at once by a name, for whichever tickets have had it. */
export async function enqueueNamed(db: StateDb, name: string, now: number): Promise<void> {
  const rows = await db.selectFrom('tickets').select('creation').where('ticket', '=', name).execute();
  await enqueue(
    db,
    rows.map(({ creation }) => ({ name, creation })),
    { dueAt: now, now },
  );
}

/**
 * Which of the due tickets come first. `longest_due`: those due first, and among these those that have waited longest.
 * `announced`: those of which a webhook told and that were never tried, the youngest first, then the others likewise.
 */
export type DueOrder = 'longest_due' | 'announced';

const orderBy: Record<DueOrder, RawBuilder<unknown>> = {
  longest_due: sql`due_at, since`,
  announced: sql`case when found_by = 'webhook' and attempts = 0 then 0 else 1 end, since desc`,
};

/** Takes due tickets for the given time, at most `longestLeaseMs`. */
export async function take(
  db: StateDb,
  owner: string,
  { limit, now, leaseMs, order = 'longest_due' }: { limit: number; now: number; leaseMs: number; order?: DueOrder },
): Promise<TicketWork[]> {
  const taken = await db
    .with('due', (creator) =>
      creator
        .selectFrom('tickets')
        .select(['ticket', 'creation'])
        .where('due_at', '<=', now)
        .where(({ eb, or }) =>
          or([
            eb('taken_until', 'is', null),
            eb('taken_until', '<=', now),
            // Dated by a clock that has since been set back.
            eb('taken_until', '>', now + longestLeaseMs),
          ]),
        )
        .orderBy(orderBy[order])
        .limit(limit)
        // SQLite has a single writer and no such clause.
        .$if(engineOf(db) === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('tickets')
    .set({ taken_by: owner, taken_until: now + Math.min(leaseMs, longestLeaseMs) })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('ticket', 'creation'),
        'in',
        selectFrom('due').select(['due.ticket', 'due.creation']).$asTuple('ticket', 'creation'),
      ),
    )
    .returning(['ticket', 'creation', 'found_by', 'since', 'attempts', 'revision', 'due_at'])
    .execute();
  return taken
    .sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || a.since - b.since)
    .map(({ ticket, creation, found_by, since, attempts, revision }) => ({
      name: ticket,
      creation,
      foundBy: found_by,
      since,
      attempts,
      revision,
    }));
}

/** Nothing is left to do of it, unless something came in since it was taken. */
export function finish(db: StateDb, work: TicketWork, owner: string): Promise<void> {
  return giveBack(db, work, owner, { dueAt: null, attempts: 0 });
}

/** To be looked at again at the given time, or at once if something came in since it was taken. */
export function postpone(db: StateDb, work: TicketWork, owner: string, dueAt: number): Promise<void> {
  return giveBack(db, work, owner, { dueAt, attempts: 1 });
}

/** `attempts`: how many it counts as. */
async function giveBack(
  db: StateDb,
  work: TicketWork,
  owner: string,
  { dueAt, attempts }: { dueAt: number | null; attempts: number },
): Promise<void> {
  await db
    .updateTable('tickets')
    .set(({ case: either, eb, ref }) => ({
      taken_by: null,
      taken_until: null,
      attempts: eb('attempts', '+', eb.lit(attempts)),
      due_at: either()
        .when('revision', '=', work.revision)
        .then(dueAt === null ? eb.lit(null) : eb.val(dueAt))
        .else(ref('due_at'))
        .end(),
    }))
    .where(isTicket(work))
    .where('taken_by', '=', owner)
    .execute();
}

/** Those of the tickets that are neither decided nor waiting, and of which no decision has been deleted. */
export async function undecidedAmong<Key extends TicketKey>(db: StateDb, keys: readonly Key[]): Promise<Key[]> {
  const known = new Set<string>();
  for (const chunk of chunksOf(keys)) {
    const rows = await db
      .selectFrom('tickets')
      .select(['ticket', 'creation'])
      .where(isOneOf(chunk))
      .where(({ eb, or }) => or([eb('due_at', 'is not', null), eb('forgotten', '=', 1)]))
      .unionAll(db.selectFrom('decisions').select(['ticket', 'creation']).where(isOneOf(chunk)).where('number', '=', 1))
      .execute();
    for (const { ticket, creation } of rows) known.add(`${ticket} ${creation}`);
  }
  return keys.filter(({ name, creation }) => !known.has(`${name} ${creation}`));
}
