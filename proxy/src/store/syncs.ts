import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import type { Selectable } from 'kysely';
import { noteInUse } from './records.ts';
import type { StateDb, StateSchema } from './schema.ts';

// Who synced what: our own record, which undo and trust rest on (docs/decisions.md 9 and 20). Entries are deleted with
// everything else about their ticket (`tickets/ticket-memory.ts`).

/** One Sync by an agent: the ticket was linked to the customer of the company that the agent had on screen. */
export interface SyncEntry {
  id: string;
  ticket: string;
  /** The agent's user id. */
  agent: string;
  orgId: OrgId;
  crmCompanyId: string;
  /** The customer that the ticket was linked to, and the one it had before. */
  customer: string;
  previousCustomer: string | null;
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
type NewSyncEntry = Omit<SyncEntry, 'id' | 'undoneAt'> & { sender?: Sender | null };

/** A company that an agent chose. */
export interface EarlierChoice {
  orgId: OrgId;
  crmCompanyId: string;
}

/** Records an entry before its effect; returns its id, which cannot be guessed. */
export async function record(db: StateDb, entry: NewSyncEntry): Promise<string> {
  const { ticket, agent, orgId, crmCompanyId, customer, previousCustomer, sender = null, at } = entry;
  const id = randomUUID();
  const row = {
    ticket,
    agent,
    org_id: orgId,
    crm_company_id: crmCompanyId,
    customer,
    at,
    sender: sender?.address ?? null,
    sender_domain: sender?.domain ?? null,
  };
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, ticket, at);
    await trx
      .insertInto('sync_log')
      .values({ id, ...row, previous_customer: previousCustomer, undone_at: null })
      .execute();
  });
  return id;
}

export async function get(db: StateDb, id: string): Promise<SyncEntry | null> {
  const row = await db.selectFrom('sync_log').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : entryOf(row);
}

/** The latest sync of the ticket that was not undone. */
export async function latest(db: StateDb, ticket: string): Promise<SyncEntry | null> {
  const row = await db
    .selectFrom('sync_log')
    .selectAll()
    .where('ticket', '=', ticket)
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
    .selectFrom('sync_log')
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
    .selectFrom('sync_log')
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
  await db.updateTable('sync_log').set({ undone_at: at }).where('id', '=', id).where('undone_at', 'is', null).execute();
}

/** Lets a sync count again. Repeatable. */
export async function restore(db: StateDb, id: string): Promise<void> {
  await db.updateTable('sync_log').set({ undone_at: null }).where('id', '=', id).execute();
}

function entryOf(row: Selectable<StateSchema['sync_log']>): SyncEntry {
  return {
    id: row.id,
    ticket: row.ticket,
    agent: row.agent,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    customer: row.customer,
    previousCustomer: row.previous_customer,
    at: row.at,
    undoneAt: row.undone_at,
  };
}
