import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import { AdoptedVia } from '@deskside/shared/profile';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { machine } from '#runtime/machine.ts';
import { fixedRead } from './fixed-read.ts';
import { noteInUse } from './retention.ts';
import { isTicket, type StateDb, type StateSchema } from './schema.ts';

// Who synced what: our own record, which undo and trust rest on (decisions 7 and 20: who vouches, own records). Entries
// are deleted with everything else about their ticket (`retention.ts`).

/** One Sync by an agent: the ticket was linked to the customer of the company that the agent had on screen. */
export interface SyncEntry {
  id: string;
  ticket: TicketKey;
  /** The agent's user id. */
  agent: string;
  orgId: OrgId;
  crmCompanyId: string;
  /** The customer that the ticket was linked to, and the one it had before. */
  customer: string;
  previousCustomer: string | null;
  /** What else of the ticket was to be changed. */
  changes: FieldChange[];
  /** The sender of whom it is remembered, in lower case; null: of nobody. */
  sender: string | null;
  /** Whether the ticket's sender had made it in a session of their own. */
  signedIn: boolean;
  /** Epoch milliseconds. */
  at: number;
  /** When its link was seen on the ticket: it vouches from then on. Null if a crash, or a failure, came before. */
  linkedAt: number | null;
  undoneAt: number | null;
}

/** Who raised a ticket: the address in lower case, and its domain unless anybody can have an address there. */
export interface Sender {
  address: string;
  domain: string | null;
}

/** `sender`: as `SyncEntry` has it, whom later judgements and suggestions go by. */
type NewSyncEntry = Omit<SyncEntry, 'id' | 'undoneAt' | 'changes' | 'linkedAt' | 'sender' | 'signedIn'> & {
  signedIn?: boolean;
  sender?: Sender | null;
  changes?: FieldChange[];
};

/** A company that an agent chose. */
export type EarlierChoice = Pick<SyncEntry, 'orgId' | 'crmCompanyId'>;

/** Records an entry before its effect; returns its id, which cannot be guessed. */
export async function record(db: StateDb, entry: NewSyncEntry): Promise<string> {
  const {
    ticket,
    agent,
    orgId,
    crmCompanyId,
    customer,
    previousCustomer,
    changes = [],
    sender = null,
    at,
    signedIn,
  } = entry;
  const id = machine.uuid();
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, ticket, at);
    await trx
      .insertInto('syncs')
      .values({
        id,
        kind: 'sync',
        ticket: ticket.name,
        creation: ticket.creation,
        agent,
        org_id: orgId,
        crm_company_id: crmCompanyId,
        customer,
        before: JSON.stringify({ customer: previousCustomer, changes } satisfies z.input<typeof Before>),
        sender: sender?.address ?? null,
        sender_domain: sender?.domain ?? null,
        at,
        signed_in: signedIn ? 1 : 0,
      })
      .execute();
  });
  return id;
}

/** What a sync has replaced. */
const Before = z.object({ customer: z.nullable(z.string()), changes: z.array(FieldChange) });

function rowsOf(db: StateDb, kind: 'sync' | 'adoption') {
  return db.selectFrom('syncs').selectAll().where('kind', '=', sql.lit(kind));
}

export async function get(db: StateDb, id: string): Promise<SyncEntry | null> {
  const row = await rowsOf(db, 'sync').where('id', '=', id).executeTakeFirst();
  return row ? entryOf(row) : null;
}

/** The latest sync of the ticket that was not undone. */
export async function latest(db: StateDb, key: TicketKey): Promise<SyncEntry | null> {
  const [row] = await latestOf(db, key.name, key.creation);
  return row ? entryOf(row) : null;
}

const latestOf = fixedRead((db, name: string, creation: string) =>
  rowsOf(db, 'sync').where(isTicket({ name, creation })).where('undone_at', 'is', null).orderBy('at', 'desc').limit(1),
);

/** What agents chose for a sender, latest first, and after that for others of the domain; nothing that was undone. */
export async function choicesOf(db: StateDb, { address, domain }: Sender): Promise<EarlierChoice[]> {
  const ofSender = await standingBy(db, 'sender', address).limit(maxChoices).execute();
  const ofDomain = domain === null ? [] : await standingBy(db, 'sender_domain', domain).limit(maxChoices).execute();
  return [...ofSender, ...ofDomain].map(entryOf);
}

/** As many as order a list that a person looks at. */
const maxChoices = 20;

function standingBy(db: StateDb, column: 'sender' | 'sender_domain', value: string) {
  return rowsOf(db, 'sync')
    .where(column, '=', value)
    .where('undone_at', 'is', null)
    .where('linked_at', 'is not', null)
    .orderBy('at', 'desc');
}

/** The later Syncs of the ticket that found it linked to the same company already: they rest on this one's link. */
export async function repeatsOf(db: StateDb, { ticket, orgId, at, id }: SyncEntry): Promise<string[]> {
  const later = await rowsOf(db, 'sync')
    .where(isTicket(ticket))
    .where('org_id', '=', orgId)
    .where('at', '>=', at)
    .where('id', '!=', id)
    .where('undone_at', 'is', null)
    .execute();
  return later.map(entryOf).flatMap((one) => (one.previousCustomer === one.customer ? [one.id] : []));
}

/** The link of a Sync was seen on its ticket. Repeatable: the first time stays. */
export async function noteLinked(db: StateDb, id: string, at: number): Promise<void> {
  await db.updateTable('syncs').set({ linked_at: at }).where('id', '=', id).where('linked_at', 'is', null).execute();
}

/** Neither a sync nor an adoption that was undone counts. Repeatable: the first time stays. */
export async function markUndone(db: StateDb, id: string, at: number): Promise<void> {
  await db.updateTable('syncs').set({ undone_at: at }).where('id', '=', id).where('undone_at', 'is', null).execute();
}

/** Lets a sync or an adoption count again. Repeatable. */
export async function restore(db: StateDb, id: string): Promise<void> {
  await db.updateTable('syncs').set({ undone_at: null }).where('id', '=', id).execute();
}

/** What a row of kind `sync` says. */
export function entryOf(row: Selectable<StateSchema['syncs']>): SyncEntry {
  const before = Before.parse(JSON.parse(row.before));
  return {
    id: row.id,
    ticket: { name: row.ticket ?? '', creation: row.creation ?? '' },
    agent: row.agent ?? '',
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    customer: row.customer,
    previousCustomer: before.customer,
    changes: before.changes,
    sender: row.sender,
    signedIn: row.signed_in === 1,
    at: row.at,
    linkedAt: row.linked_at,
    undoneAt: row.undone_at,
  };
}

// Which customers made by hand became which company, why, and what they were before: what undoing rests on. Survives
// `kill -9`. An adoption that stands had its effect only if the customer has its org id.

/** Why a customer made by hand becomes a company, and at whose word. `at` in epoch milliseconds. */
export interface NewAdoption {
  /** The user's id; null: Deskside itself, because the company's own address raised the ticket. */
  by: string | null;
  via: AdoptedVia;
  ticket: TicketKey | null;
  at: number;
}

/** A customer without identity that became a company (decision 12: made by hand). */
export interface Adoption extends NewAdoption {
  id: string;
  customer: string;
  orgId: OrgId;
  crmCompanyId: string;
  companyName: string | null;
  /** What was to be written to the customer, and what was there before. */
  changes: FieldChange[];
  undoneAt: number | null;
}

/**
 * Records an adoption before its effect and returns its id, which cannot be guessed. Takes the place of one that stands
 * for the same customer and org id: that one has not come to its effect, or somebody has taken the org id away since.
 */
export async function recordAdoption(db: StateDb, adoption: Omit<Adoption, 'id' | 'undoneAt'>): Promise<string> {
  const { customer, orgId, crmCompanyId, companyName, by, via, ticket, changes, at } = adoption;
  const id = machine.uuid();
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('syncs')
      .where('kind', '=', sql.lit('adoption'))
      .where('customer', '=', customer)
      .where('org_id', '=', orgId)
      .where('undone_at', 'is', null)
      .execute();
    await trx
      .insertInto('syncs')
      .values({
        id,
        kind: 'adoption',
        ticket: ticket?.name ?? null,
        creation: ticket?.creation ?? null,
        agent: by,
        org_id: orgId,
        crm_company_id: crmCompanyId,
        customer,
        before: JSON.stringify({ companyName, via, changes } satisfies z.input<typeof BeforeAdoption>),
        at,
      })
      .execute();
  });
  return id;
}

/** What an adoption changes, and at whose word. */
const BeforeAdoption = z.object({
  companyName: z.nullable(z.string()),
  via: AdoptedVia,
  changes: z.array(FieldChange),
});

export async function adoption(db: StateDb, id: string): Promise<Adoption | null> {
  const row = await rowsOf(db, 'adoption').where('id', '=', id).executeTakeFirst();
  return row ? adoptionOf(row) : null;
}

/** All of a customer, newest first. */
export async function adoptionsOf(db: StateDb, customer: string): Promise<Adoption[]> {
  const rows = await rowsOf(db, 'adoption').where('customer', '=', customer).orderBy('at', 'desc').execute();
  return rows.map(adoptionOf);
}

/** The one by which a customer that has the org id got it; null if it was not adopted. */
export async function standingAdoption(db: StateDb, customer: string, orgId: string): Promise<Adoption | null> {
  const ofCustomer = await adoptionsOf(db, customer);
  return ofCustomer.find((one) => one.orgId === orgId && one.undoneAt === null) ?? null;
}

/** Which customers were made which company, as far as nobody has taken that back. */
export async function standingAdoptions(db: StateDb): Promise<Adoption[]> {
  const rows = await rowsOf(db, 'adoption').where('undone_at', 'is', null).execute();
  return rows.map(adoptionOf);
}

/** Which customers were made which company and are so no more, by whomever. */
export async function takenBackAdoptions(db: StateDb): Promise<Adoption[]> {
  const rows = await rowsOf(db, 'adoption').where('undone_at', 'is not', null).execute();
  return rows.map(adoptionOf);
}

/** What a row of kind `adoption` says. */
export function adoptionOf(row: Selectable<StateSchema['syncs']>): Adoption {
  const { ticket, creation } = row;
  return {
    id: row.id,
    customer: row.customer,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    by: row.agent,
    ticket: ticket === null || creation === null ? null : { name: ticket, creation },
    ...BeforeAdoption.parse(JSON.parse(row.before)),
    at: row.at,
    undoneAt: row.undone_at,
  };
}
