import { OrgId } from '@deskside/shared/orgid';
import { type Selectable, sql } from 'kysely';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { machine } from '#runtime/machine.ts';
import { fixedRead } from './fixed-read.ts';
import { chunksOf, type StateDb, type StateSchema } from './schema.ts';
import { type EarlierChoice, entryOf, type SyncEntry } from './syncs.ts';

// The desk's own list: which people an operator has accepted as a company's, with the customer that they belong to
// (decision 7: who vouches). It goes by the address, and by no ticket.

/** An address in lower case that the desk has accepted as one of the company's people. `by`: who ran the command. */
export interface ListedPerson extends EarlierChoice {
  address: string;
  customer: string;
  by: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Accepts these people of a customer, in the place of those accepted for it before. Repeatable: who stays keeps the date. */
export async function listPeople(
  db: StateDb,
  { people, ...accepted }: Omit<ListedPerson, 'address'> & { people: readonly string[] },
): Promise<void> {
  const { customer, orgId, crmCompanyId, by, at } = accepted;
  await db.transaction().execute(async (trx) => {
    const known = await standingList(trx).where('customer', '=', customer).execute();
    const kept = new Set<string>();
    for (const row of known) {
      const stays = row.org_id === orgId && people.includes(row.sender ?? '');
      if (stays) kept.add(row.sender ?? '');
      else await trx.updateTable('syncs').set({ undone_at: at }).where('id', '=', row.id).execute();
    }
    const rows = people.flatMap((address) => (kept.has(address) ? [] : [address]));
    for (const some of chunksOf(rows))
      await trx
        .insertInto('syncs')
        .values(
          some.map((address) => ({
            id: machine.uuid(),
            kind: 'listed' as const,
            agent: by,
            org_id: orgId,
            crm_company_id: crmCompanyId,
            customer,
            before: '{}',
            sender: address,
            at,
          })),
        )
        .execute();
  });
}

/** Takes all people of a customer off the list. Repeatable. */
export async function unlistPeople(db: StateDb, customer: string, orgId: OrgId, at: number): Promise<void> {
  await db
    .updateTable('syncs')
    .set({ undone_at: at })
    .where('kind', '=', sql.lit('listed'))
    .where('customer', '=', customer)
    .where('org_id', '=', orgId)
    .where('undone_at', 'is', null)
    .execute();
}

/** What agents by their Syncs, and operators by the list, have said that stands; each latest first. */
export interface StandingWords {
  /** The latest Sync of the ticket. */
  synced: SyncEntry | null;
  /** The Syncs for the sender whose links were seen. */
  said: SyncEntry[];
  /** Of which companies the sender is on the list. */
  accepted: ListedPerson[];
}

/** What stands for a ticket and its sender, an address in lower case, in one read. */
export async function standingWords(db: StateDb, ticket: TicketKey, sender: string | null): Promise<StandingWords> {
  const rows = await rowsFor(db, ticket.name, ticket.creation, sender);
  const synced = rows.filter(({ kind }) => kind === 'sync');
  const [ofTicket = null] = synced.filter((row) => row.ticket === ticket.name && row.creation === ticket.creation);
  return {
    synced: ofTicket && entryOf(ofTicket),
    said: synced.filter((row) => row.sender !== null && row.sender === sender && row.linked_at !== null).map(entryOf),
    accepted: rows.filter(({ kind }) => kind === 'listed').map(personOf),
  };
}

/** A comparison with null holds for no row. */
const rowsFor = fixedRead((db, name: string, creation: string, sender: string | null) =>
  db
    .selectFrom('syncs')
    .selectAll()
    .where('undone_at', 'is', null)
    .where(({ and, eb, or }) =>
      or([and([eb('ticket', '=', name), eb('creation', '=', creation)]), eb('sender', '=', sender)]),
    )
    .orderBy('at', 'desc'),
);

/** The whole list. */
export async function listedPeople(db: StateDb): Promise<ListedPerson[]> {
  return (await standingList(db).execute()).map(personOf);
}

function standingList(db: StateDb) {
  return db.selectFrom('syncs').selectAll().where('kind', '=', sql.lit('listed')).where('undone_at', 'is', null);
}

function personOf(row: Selectable<StateSchema['syncs']>): ListedPerson {
  return {
    address: row.sender ?? '',
    customer: row.customer,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    by: row.agent ?? '',
    at: row.at,
  };
}
