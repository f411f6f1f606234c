import { parseOrgId } from '@deskside/shared/orgid';
import type { InsertedTicket } from '#helpdesk/helpdesk-tickets.ts';
import { noteInUse } from './records.ts';
import type { StateDb } from './schema.ts';

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
export function addressOf(raisedBy: string | null): string | null {
  return raisedBy?.trim().toLowerCase() || null;
}
