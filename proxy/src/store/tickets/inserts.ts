import { OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';
import { noteInUse } from './records.ts';

// What tickets were like when they were inserted, as the signed webhook told it, and which org ids they have carried: our
// own record, which trust rests on (docs/decisions.md 9). Deleted with everything else about the ticket.

/** A ticket as its insert left it. `creation`: the helpdesk's timestamp, which tells tickets apart that had the same name. */
export interface Insert extends Omit<InsertedTicket, 'orgIdFields'> {
  orgIds: OrgId[];
}

/** A ticket that has carried an org id. `insert`: null where no webhook told of it. */
interface Carrying {
  ticket: string;
  insert: Insert | null;
}

const Kept = z.object({
  owner: z.string(),
  raisedBy: z.string().nullable(),
  agentGroup: z.string().nullable(),
  splitFrom: z.string().nullable(),
  orgIds: z.array(OrgId),
});

/**
 * Keeps what the webhook told of a ticket's insert. A row that the sweep made first is filled; what a webhook told is never
 * written over.
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
        .where('ticket_insert.inserted', 'is', null),
    )
    .execute();
}

/** Notes which org ids a ticket carries for its sender, whether or not a webhook told of it. Repeatable. */
export async function noteCarried(
  db: StateDb,
  { ticket, creation, raisedBy, orgIds }: Pick<Insert, 'creation' | 'raisedBy' | 'orgIds'> & { ticket: string },
  at: number,
): Promise<void> {
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
    const row = { ticket, creation, sender: addressOf(raisedBy), inserted: null, org_ids, at };
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

/** The sender's tickets that have carried the org id. `sender` in lower case. */
export async function carrying(db: StateDb, sender: string, orgId: OrgId): Promise<Carrying[]> {
  const rows = await db
    .selectFrom('ticket_insert')
    .selectAll()
    .where('sender', '=', sender)
    .where('org_ids', 'like', `%"${orgId}"%`)
    .execute();
  return rows.map((row) => ({ ticket: row.ticket, insert: insertIn(row) }));
}

function insertIn({ creation, inserted }: StateSchema['ticket_insert']): Insert | null {
  return inserted === null ? null : { creation, ...Kept.parse(JSON.parse(inserted)) };
}

function carriedIn(org_ids: string): OrgId[] {
  return z.array(OrgId).parse(JSON.parse(org_ids));
}

function addressOf(raisedBy: string | null): string | null {
  return raisedBy?.trim().toLowerCase() || null;
}
