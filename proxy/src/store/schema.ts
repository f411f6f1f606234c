import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { engineOf } from './engine.ts';

/** The store's tables. */
export type StateDb = Kysely<StateSchema>;

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
   * comes in while it is taken. `active_at`: when it was last known to be in use; null if nothing is kept of it. `gone`: the
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
    taken_by: string | null;
    taken_until: number | null;
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
   * `kind`: an agent linked a ticket to a company's customer, a customer made by hand became a company, or an operator
   * accepted somebody as one of the company's people. `before`: JSON of what was there before. `sender`: who raised the ticket,
   * or was accepted, in lower case, and the domain of the address where it says something.
   * `signed_in`: whether that was the sender's own session. `linked_at`: when the link of a Sync was seen on its ticket.
   */
  syncs: {
    id: string;
    kind: 'sync' | 'adoption' | 'listed';
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
    signed_in: Generated<number>;
    linked_at: number | null;
  };
  /**
   * `reason`, `taken`: JSON of RejectionReason and TakenBack. `lifted_by`: the sync that lifted it, or another name. `signed_in` as
   * in syncs.
   */
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
    signed_in: Generated<number>;
  };
  /** What one process has for itself. */
  leases: { key: string; owner: string; until: number };
  /** What else is remembered, JSON. */
  notes: { key: string; note: string; at: number };
  /**
   * What the CRM said. `found` is 0 or 1. `kind`: `company` for what it has for `key`, an org id; `user` for an account owner.
   * `company_id`: the company in the answer. Where it has several, each of the others has a row of kind `also` that leads to
   * it. `event`: the CRM has announced a change of the company `key`. `payloads`: JSON of the companies' whole records, which only
   * a snapshot needs.
   */
  crm_cache: {
    portal: string;
    kind: 'company' | 'user' | 'also' | 'event';
    key: string;
    company_id: string | null;
    answer: string;
    found: number;
    checked_at: number;
    /** When the CRM announced a change that this answer may not reflect; null if it did not. */
    outdated_at: number | null;
    payloads: string | null;
  };
}

/** In a fixed order, so that two processes never wait for each other's rows; each once. */
export function inOrder<Key extends TicketKey>(keys: readonly Key[]): Key[] {
  const once = new Map(keys.map((key) => [`${key.name} ${key.creation}`, key]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
}

/** The rows of this ticket, by `ticket` and `creation`. */
export function isTicket({ name, creation }: TicketKey): RawBuilder<boolean> {
  return sql<boolean>`ticket = ${name} and creation = ${creation}`;
}

/** Those of these tickets, of which there is at least one. */
export function isOneOf(keys: readonly TicketKey[]): RawBuilder<boolean> {
  return sql<boolean>`(ticket, creation) in (values ${sql.join(keys.map(({ name, creation }) => sql`(${name}, ${creation})`))})`;
}

/**
 * The first migration (database.ts): makes all tables, with the same names of columns and indexes on both databases. Once it is
 * released it stays as it is, and another migration changes what it has made.
 */
export async function makeTables(db: StateDb): Promise<void> {
  const isSqlite = engineOf(db) === 'sqlite';
  const bigint = sql.raw(isSqlite ? 'integer' : 'bigint');
  const identity = sql.raw(isSqlite ? 'integer' : 'bigint generated always as identity');
  const strict = sql.raw(isSqlite ? 'strict' : '');
  const statements = [
    sql`create table tickets (
      ticket text not null,
      creation text not null,
      inserted text,
      told_at ${bigint},
      found_by text not null default 'sweep',
      since ${bigint} not null default 0,
      due_at ${bigint},
      attempts integer not null default 0,
      revision integer not null default 0,
      taken_by text,
      taken_until ${bigint},
      active_at ${bigint},
      gone integer not null default 0,
      owners text,
      forgotten integer not null default 0,
      primary key (ticket, creation)
    ) ${strict}`,
    // Excludes finished tickets, which are nearly all of them.
    sql`create index tickets_due on tickets (due_at, since) where due_at is not null`,
    sql`create index tickets_told on tickets (told_at) where told_at is not null`,
    sql`create index tickets_active on tickets (active_at) where active_at is not null`,
    sql`create table claims (
      sender text not null,
      org_id text not null,
      ticket text not null,
      creation text not null,
      primary key (sender, org_id, ticket, creation)
    ) ${strict}`,
    sql`create index claims_ticket on claims (ticket)`,
    sql`create table decisions (
      id ${identity} primary key,
      ticket text not null,
      creation text not null,
      number integer not null,
      latest integer not null,
      waiting_team text,
      open_claim text,
      decided_at ${bigint} not null,
      decision text not null,
      unique (ticket, creation, number)
    ) ${strict}`,
    sql`create index decisions_waiting on decisions (waiting_team, id) where waiting_team is not null`,
    sql`create index decisions_open_claim on decisions (open_claim) where open_claim is not null`,
    sql`create index decisions_unnamed on decisions (decided_at) where number = 0`,
    sql`create table turns (team text not null primary key, last_agent text) ${strict}`,
    sql`create table syncs (
      id text not null primary key,
      kind text not null,
      ticket text,
      creation text,
      agent text,
      org_id text not null,
      crm_company_id text not null,
      customer text not null,
      before text not null,
      sender text,
      sender_domain text,
      at ${bigint} not null,
      undone_at ${bigint}
    ) ${strict}`,
    sql`create index syncs_ticket on syncs (ticket, creation, at)`,
    sql`create index syncs_sender on syncs (sender, at)`,
    sql`create index syncs_sender_domain on syncs (sender_domain, at)`,
    sql`create index syncs_adopted on syncs (customer, at) where kind = 'adoption'`,
    sql`create table rejections (
      id text not null primary key,
      ticket text not null,
      creation text not null,
      sender text,
      org_id text not null,
      crm_company_id text,
      company_name text,
      agent text not null,
      reason text not null,
      taken text,
      at ${bigint} not null,
      lifted_at ${bigint},
      lifted_by text
    ) ${strict}`,
    sql`create index rejections_ticket on rejections (ticket, creation)`,
    sql`create index rejections_sender on rejections (sender)`,
    sql`create index rejections_lifted_by on rejections (lifted_by)`,
    sql`create table crm_cache (
      portal text not null,
      kind text not null,
      key text not null,
      company_id text,
      answer text not null,
      found integer not null,
      checked_at ${bigint} not null,
      outdated_at ${bigint},
      primary key (portal, kind, key)
    ) ${strict}`,
    sql`create index crm_cache_company on crm_cache (portal, company_id) where company_id is not null`,
    sql`create index crm_cache_negatives on crm_cache (portal) where found = 0`,
    sql`create index crm_cache_checked_at on crm_cache (checked_at)`,
    sql`create table leases (key text not null primary key, owner text not null, until ${bigint} not null) ${strict}`,
    sql`create table notes (key text not null primary key, note text not null, at ${bigint} not null) ${strict}`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/**
 * The second one: one answer of the CRM for each org id. Those of before were two, by the order of the fields; they are asked
 * for again.
 */
export async function makeOneAnswer(db: StateDb): Promise<void> {
  await sql`delete from crm_cache where kind <> 'user'`.execute(db);
  await sql`alter table crm_cache add column payloads text`.execute(db);
}

/** The desk's own list is looked for by customer, where a row of it is accepted anew or taken back. */
export async function makeDeskList(db: StateDb): Promise<void> {
  await sql`create index syncs_listed on syncs (customer) where kind = 'listed'`.execute(db);
}

/**
 * The fourth migration: whether a Sync or a rejection was made on a ticket whose sender had signed in, and since when the link of a
 * Sync is known to be there. Records of before count as not signed in, and their links as seen.
 */
export async function makeSignedIn(db: StateDb): Promise<void> {
  const bigint = sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint');
  for (const table of ['syncs', 'rejections'])
    await sql`alter table ${sql.table(table)} add column signed_in integer not null default 0`.execute(db);
  await sql`alter table syncs add column linked_at ${bigint}`.execute(db);
  await sql`update syncs set linked_at = at where kind = 'sync'`.execute(db);
}

/** Deletes rows for which the condition holds, at most `limit`; returns how many. `key`: the columns of the primary key. */
export async function deleteSome(
  db: StateDb,
  table: keyof StateSchema,
  key: readonly string[],
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  // Twice: a row that another process has changed since it was found stays.
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${condition} and (${columns}) in
    (select ${columns} from ${sql.table(table)} where ${condition} limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Values per statement: with 500 of them, making the statement alone takes several milliseconds. */
const most = 100;

/** Splits the items, in order, into chunks for one statement each. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}

export type NamingRow = Readonly<Record<string, string | number | null>>;

/** Where rows of a table name a person or a company. */
export interface NamingTable {
  table: keyof StateSchema;
  /** Its primary key. */
  key: readonly string[];
  /** Columns that name whom the row is about. */
  subject?: (row: NamingRow, now: number) => readonly string[];
  /** The column of a record, in which they may be an agent alone. */
  record?: string;
  /** The column of an agent, or of account owners, who are taken out of a row that stays. */
  agent?: string;
  /** Whether such a row goes by itself, and not with its ticket. */
  goesAlone?: (row: NamingRow) => boolean;
}

/** All tables with such rows, for `purge`. */
export const namingTables: readonly NamingTable[] = [
  // Some were made before the ticket had a name.
  { table: 'decisions', key: ['id'], record: 'decision', goesAlone: ({ creation }) => creation === '' },
  {
    table: 'tickets',
    key: ['ticket', 'creation'],
    record: 'inserted',
    agent: 'owners',
    goesAlone: ({ creation }) => creation === '',
  },
  { table: 'claims', key: ['sender', 'org_id', 'ticket', 'creation'], subject: () => ['sender', 'org_id'] },
  {
    table: 'syncs',
    key: ['id'],
    subject: () => ['org_id', 'customer', 'before', 'sender'],
    agent: 'agent',
    goesAlone: ({ kind }) => kind !== 'sync',
  },
  {
    table: 'rejections',
    key: ['id'],
    subject: () => ['org_id', 'company_name', 'sender', 'reason', 'taken'],
    agent: 'agent',
  },
  { table: 'turns', key: ['team'], agent: 'last_agent' },
  {
    table: 'crm_cache',
    key: ['portal', 'kind', 'key'],
    subject: ({ kind }) => ['answer', 'payloads', ...(kind === 'user' ? [] : ['key'])],
    goesAlone: () => true,
  },
  {
    table: 'leases',
    key: ['key'],
    // One that is held disappears with its holder; what a crash has left is over.
    subject: ({ until }, now) => (Number(until) <= now ? ['key'] : []),
    goesAlone: () => true,
  },
];
