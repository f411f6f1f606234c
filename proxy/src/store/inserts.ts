import { OrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { InsertedTicket } from '#helpdesk/helpdesk-tickets.ts';
import { addressOf } from './keep-insert.ts';
import { isBare, noteInUse } from './records.ts';
import type { StateDb, StateSchema } from './schema.ts';

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
export async function of(db: StateDb, ticket: string, creation: string): Promise<Insert | null> {
  const row = await db
    .selectFrom('ticket_insert')
    .selectAll()
    .where('ticket', '=', ticket)
    .where('creation', '=', creation)
    .executeTakeFirst();
  return row ? insertIn(row) : null;
}

/** The same by the name alone: of several tickets that had it, the last. */
export async function latestOf(db: StateDb, ticket: string): Promise<Insert | null> {
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
