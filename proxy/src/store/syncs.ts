import { randomUUID } from 'node:crypto';
import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { StateDb, StateSchema, TicketKey } from './schema.ts';
import { noteInUse } from './tickets.ts';

// Who synced what: our own record, which undo and trust rest on (docs/decisions.md 7 and 20). Entries are deleted with
// everything else about their ticket (`tickets.ts`).

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
  /** Epoch milliseconds. */
  at: number;
  undoneAt: number | null;
}

/** Who raised a ticket: the address in lower case, and its domain unless anybody can have an address there. */
export interface Sender {
  address: string;
  domain: string | null;
}

/** `sender`: of whom it is remembered, which later judgements and suggestions go by; without one, of nobody. */
type NewSyncEntry = Omit<SyncEntry, 'id' | 'undoneAt' | 'changes'> & {
  sender?: Sender | null;
  changes?: FieldChange[];
};

/** A company that an agent chose. */
export interface EarlierChoice {
  orgId: OrgId;
  crmCompanyId: string;
}

/** Records an entry before its effect; returns its id, which cannot be guessed. */
export async function record(db: StateDb, entry: NewSyncEntry): Promise<string> {
  const { ticket, agent, orgId, crmCompanyId, customer, previousCustomer, changes = [], sender = null, at } = entry;
  const id = randomUUID();
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
        undone_at: null,
      })
      .execute();
  });
  return id;
}

/** What a sync has replaced. */
const Before = z.object({ customer: z.nullable(z.string()), changes: z.array(FieldChange) });

export async function get(db: StateDb, id: string): Promise<SyncEntry | null> {
  const row = await db
    .selectFrom('syncs')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'sync')
    .executeTakeFirst();
  return row === undefined ? null : entryOf(row);
}

/** The latest sync of the ticket that was not undone. */
export async function latest(db: StateDb, { name, creation }: TicketKey): Promise<SyncEntry | null> {
  const row = await db
    .selectFrom('syncs')
    .selectAll()
    .where('ticket', '=', name)
    .where('creation', '=', creation)
    .where('kind', '=', 'sync')
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : entryOf(row);
}

/** What agents chose for a sender, latest first, and after that for others of the domain; nothing that was undone. */
export async function choicesOf(db: StateDb, { address, domain }: Sender): Promise<EarlierChoice[]> {
  const [own, ofDomain] = await Promise.all([
    choices(db, 'sender', address),
    domain === null ? [] : choices(db, 'sender_domain', domain),
  ]);
  return [...own, ...ofDomain];
}

/** The standing Syncs for a sender, latest first: what agents said of the address in lower case. */
export async function ofSender(db: StateDb, address: string): Promise<SyncEntry[]> {
  const rows = await db
    .selectFrom('syncs')
    .selectAll()
    .where('sender', '=', address)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .execute();
  return rows.map(entryOf);
}

/** As many as order a list that a person looks at. */
const maxChoices = 20;

async function choices(db: StateDb, column: 'sender' | 'sender_domain', value: string): Promise<EarlierChoice[]> {
  const rows = await db
    .selectFrom('syncs')
    .select(['org_id', 'crm_company_id'])
    .where(column, '=', value)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(maxChoices)
    .execute();
  return rows.map((row) => ({ orgId: OrgId.parse(row.org_id), crmCompanyId: row.crm_company_id }));
}

/** Repeatable: the first time stays. */
export async function markUndone(db: StateDb, id: string, at: number): Promise<void> {
  await db.updateTable('syncs').set({ undone_at: at }).where('id', '=', id).where('undone_at', 'is', null).execute();
}

/** Lets a sync count again. Repeatable. */
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
    at: row.at,
    undoneAt: row.undone_at,
  };
}
