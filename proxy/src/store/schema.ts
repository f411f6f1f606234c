import { type Generated, type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { engineOf } from './engine.ts';

/**
 * Which fields must hold the org id, the one that counts first (docs/decisions.md 4): profiles go by the Company ID,
 * enrichment by the platform's org id. Both are asked in one request.
 */
export type LookupFields = 'company_id_then_platform_orgid' | 'platform_orgid_then_company_id';

/** The store's tables. */
export type StateDb = Kysely<StateSchema>;

/** What makes a ticket out: names can be reused. `creation`: the helpdesk's own timestamp, opaque. */
export interface TicketKey {
  name: string;
  creation: string;
}

/** The key alone, for a record of its own. */
export function keyOf({ name, creation }: TicketKey): TicketKey {
  return { name, creation };
}

/** Whether two are one ticket. */
export function isSameTicket(a: TicketKey | null, b: TicketKey | null): boolean {
  return a !== null && b !== null && a.name === b.name && a.creation === b.creation;
}

/** Times are epoch milliseconds, flags 0 or 1. */
export interface StateSchema {
  /**
   * A ticket to work on, and what is kept of it. `inserted`: JSON of an Insert without its creation, as the signed webhook
   * told it at `told_at`; null where none did. `due_at`: null if nothing is left to do. `revision` increases when something
   * comes in during a claim. `active_at`: when it was last known to be in use; null if nothing is kept of it. `gone`: the
   * helpdesk did not have it any more when it was last looked at. `owners`: JSON of the account owners whose addresses we wrote
   * to it, and of which companies. `forgotten`: its decisions have been deleted.
   */
  tickets: {
    ticket: string;
    creation: string;
    inserted: string | null;
    told_at: number | null;
    found_by: Generated<'webhook' | 'sweep'>;
    since: Generated<number>;
    due_at: number | null;
    attempts: Generated<number>;
    revision: Generated<number>;
    claimed_by: string | null;
    claimed_until: number | null;
    active_at: number | null;
    gone: Generated<number>;
    owners: string | null;
    forgotten: Generated<number>;
  };
  /** Which org ids tickets have carried, and for whom, in lower case. */
  claims: { sender: string; org_id: string; ticket: string; creation: string };
  /**
   * Ids grow in the order of the decisions. `number` 0: made before the ticket had a name, under its uuid. `latest`: whether it
   * is the ticket's latest. `waiting_team`: the latest, and nobody of this team was available; empty for no team, null if it
   * does not wait. `open_claim`: the org id of the latest, if it is a claim that may yet be confirmed. `decision`: JSON of
   * everything but the id.
   */
  decisions: {
    id: Generated<number>;
    ticket: string;
    creation: string;
    number: number;
    latest: number;
    waiting_team: string | null;
    open_claim: string | null;
    decided_at: number;
    decision: string;
  };
  /** Who got the last ticket of each team. */
  turns: { team: string; last_agent: string | null };
  /**
   * `kind`: an agent linked a ticket to a company's customer, or a customer made by hand became a company. `before`: JSON of
   * what was there before. `sender`: who raised the ticket, in lower case, and the domain of the address where it says something.
   */
  syncs: {
    id: string;
    kind: 'sync' | 'adoption';
    ticket: string | null;
    creation: string | null;
    agent: string | null;
    org_id: string;
    crm_company_id: string;
    customer: string;
    before: string;
    sender: string | null;
    sender_domain: string | null;
    at: number;
    undone_at: number | null;
  };
  /** `reason`, `taken`: JSON of RejectionReason and TakenBack. `lifted_by`: the sync that lifted it, or another name. */
  rejections: {
    id: string;
    ticket: string;
    creation: string;
    sender: string | null;
    org_id: string;
    crm_company_id: string | null;
    company_name: string | null;
    agent: string;
    reason: string;
    taken: string | null;
    at: number;
    lifted_at: number | null;
    lifted_by: string | null;
  };
  /** What one process has for itself. */
  leases: { key: string; owner: string; until: number };
  /** What else is remembered, JSON. */
  notes: { key: string; note: string; at: number };
  /**
   * What the CRM said. `found` is 0 or 1. `kind`: the fields by which `key`, an org id, was looked up; `user` of an account
   * owner. `company_id`: the company in the answer. Where it has several, each of the others has a row of kind `also` that
   * leads to it.
   */
  crm_cache: {
    portal: string;
    kind: LookupFields | 'user' | 'also';
    key: string;
    company_id: string | null;
    answer: string;
    found: number;
    checked_at: number;
    /** When the CRM announced a change that this answer may not reflect; null if it did not. */
    outdated_at: number | null;
  };
}

/** Rows of these tickets, by `ticket` and `creation`. At least one. */
export function isOneOf(keys: readonly TicketKey[]): RawBuilder<boolean> {
  return sql<boolean>`(ticket, creation) in (values ${sql.join(keys.map(({ name, creation }) => sql`(${name}, ${creation})`))})`;
}

/** Makes all tables. */
export async function makeTables(db: StateDb): Promise<void> {
  await makeTicketTables(db);
  await makeDecisionTables(db);
  await makeCustomerTables(db);
  await makeSharedTables(db);
}

/** Tickets to work on, with what is kept of their inserts, and which org ids their senders have claimed. */
async function makeTicketTables(db: StateDb): Promise<void> {
  const { bigint, table, index } = makersFor(db);
  await table('tickets')
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('creation', 'text', (column) => column.notNull())
    .addColumn('inserted', 'text')
    .addColumn('told_at', bigint)
    .addColumn('found_by', 'text', (column) => column.notNull().defaultTo('sweep'))
    .addColumn('since', bigint, (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', bigint)
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', bigint)
    .addColumn('active_at', bigint)
    .addColumn('gone', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('owners', 'text')
    .addColumn('forgotten', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('tickets_key', ['ticket', 'creation'])
    .execute();
  // Excludes finished tickets, which are nearly all of them.
  await index('tickets_due', 'tickets', ['due_at', 'since']).where(sql.ref('due_at'), 'is not', null).execute();
  await index('tickets_told', 'tickets', ['told_at']).where(sql.ref('told_at'), 'is not', null).execute();
  await index('tickets_active', 'tickets', ['active_at']).where(sql.ref('active_at'), 'is not', null).execute();
  await table('claims')
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('creation', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('claims_key', ['sender', 'org_id', 'ticket', 'creation'])
    .execute();
  await index('claims_ticket', 'claims', ['ticket']).execute();
}

/** Decisions, and whose turn it is. */
async function makeDecisionTables(db: StateDb): Promise<void> {
  const { bigint, table, index } = makersFor(db);
  const identity = engineOf(db) === 'sqlite' ? sql`integer` : sql`bigint generated always as identity`;
  await table('decisions')
    .addColumn('id', identity, (column) => column.primaryKey())
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('creation', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('latest', 'integer', (column) => column.notNull())
    .addColumn('waiting_team', 'text')
    .addColumn('open_claim', 'text')
    .addColumn('decided_at', bigint, (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addUniqueConstraint('decisions_ticket', ['ticket', 'creation', 'number'])
    .execute();
  await index('decisions_waiting', 'decisions', ['waiting_team', 'id'])
    .where(sql.ref('waiting_team'), 'is not', null)
    .execute();
  await index('decisions_open_claim', 'decisions', ['open_claim'])
    .where(sql.ref('open_claim'), 'is not', null)
    .execute();
  await index('decisions_unnamed', 'decisions', ['decided_at']).where(sql.ref('number'), '=', sql.lit(0)).execute();
  await table('turns')
    .addColumn('team', 'text', (column) => column.notNull().primaryKey())
    .addColumn('last_agent', 'text')
    .execute();
}

/** What agents said about customers, and what was there before. */
async function makeCustomerTables(db: StateDb): Promise<void> {
  const { bigint, table, index } = makersFor(db);
  await table('syncs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('ticket', 'text')
    .addColumn('creation', 'text')
    .addColumn('agent', 'text')
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('crm_company_id', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('before', 'text', (column) => column.notNull())
    .addColumn('sender', 'text')
    .addColumn('sender_domain', 'text')
    .addColumn('at', bigint, (column) => column.notNull())
    .addColumn('undone_at', bigint)
    .execute();
  await index('syncs_ticket', 'syncs', ['ticket', 'creation', 'at']).execute();
  for (const column of ['sender', 'sender_domain']) await index(`syncs_${column}`, 'syncs', [column, 'at']).execute();
  await index('syncs_adopted', 'syncs', ['customer', 'at']).where(sql.ref('kind'), '=', sql.lit('adoption')).execute();
  await table('rejections')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('creation', 'text', (column) => column.notNull())
    .addColumn('sender', 'text')
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('crm_company_id', 'text')
    .addColumn('company_name', 'text')
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('taken', 'text')
    .addColumn('at', bigint, (column) => column.notNull())
    .addColumn('lifted_at', bigint)
    .addColumn('lifted_by', 'text')
    .execute();
  await index('rejections_ticket', 'rejections', ['ticket', 'creation']).execute();
  for (const column of ['sender', 'lifted_by']) await index(`rejections_${column}`, 'rejections', [column]).execute();
}

/** What the CRM said, what processes share, and what is noted of the work as a whole. */
async function makeSharedTables(db: StateDb): Promise<void> {
  const { bigint, table, index } = makersFor(db);
  await table('crm_cache')
    .addColumn('portal', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('company_id', 'text')
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('found', 'integer', (column) => column.notNull())
    .addColumn('checked_at', bigint, (column) => column.notNull())
    .addColumn('outdated_at', bigint)
    .addPrimaryKeyConstraint('crm_cache_key', ['portal', 'kind', 'key'])
    .execute();
  await index('crm_cache_company', 'crm_cache', ['portal', 'company_id'])
    .where(sql.ref('company_id'), 'is not', null)
    .execute();
  await index('crm_cache_negatives', 'crm_cache', ['portal', 'checked_at'])
    .where(sql.ref('found'), '=', sql.lit(0))
    .execute();
  await index('crm_cache_checked_at', 'crm_cache', ['checked_at']).execute();
  await table('leases')
    .addColumn('key', 'text', (column) => column.notNull().primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('until', bigint, (column) => column.notNull())
    .execute();
  await table('notes')
    .addColumn('key', 'text', (column) => column.notNull().primaryKey())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .execute();
}

function makersFor(db: StateDb) {
  const isSqlite = engineOf(db) === 'sqlite';
  return {
    bigint: isSqlite ? sql`integer` : sql`bigint`,
    table(name: string) {
      const made = db.schema.createTable(name);
      return isSqlite ? made.modifyEnd(sql`strict`) : made;
    },
    index: (name: string, on: string, columns: string[]) => db.schema.createIndex(name).on(on).columns(columns),
  };
}

/** Values per statement: with 500 of them, making the statement alone takes several milliseconds. */
const most = 100;

/** Splits the items, in order, into chunks for one statement each. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}

/** Rows per statement. */
const pageSize = 500;

/**
 * Reads a whole table in the order of its key, page by page.
 *
 * @param key the columns of its primary key
 * @param columns the others that are needed
 */
export async function* walkTable<Key extends string, Column extends string>(
  db: QueryExecutorProvider,
  table: string,
  key: readonly Key[],
  columns: readonly Column[],
): AsyncGenerator<Record<Key, string | number> & Record<Column, string | null>> {
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  let after: unknown[] | null = null;
  for (;;) {
    const from: ReturnType<typeof sql> = after === null ? sql`` : sql`where (${list(key)}) > (${sql.join(after)})`;
    const { rows } = await sql<Record<string, unknown>>`select ${list([...key, ...columns])} from ${sql.table(table)}
      ${from} order by ${list(key)} limit ${pageSize}`.execute(db);
    yield* rows as (Record<Key, string | number> & Record<Column, string | null>)[];
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = key.map((name) => last[name]);
  }
}
