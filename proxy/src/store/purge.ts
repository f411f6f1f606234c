import type { OrgId } from '@deskside/shared/orgid';
import { sql } from 'kysely';
import type { WholeHelpdesk } from '#helpdesk/whole.ts';
import { restBetween } from '#runtime/concurrency.ts';
import type { Store } from './database.ts';
import { engineOf } from './engine.ts';
import { forgetAll } from './retention.ts';
import { chunksOf, type NamingRow, type NamingTable, namingTables, type StateDb, type StateSchema } from './schema.ts';

/** What is deleted. Times are epoch milliseconds. */
export interface PurgeOrder {
  /** Names of tickets of which everything goes. Those whose records name the subject are added. */
  tickets: readonly string[];
  /** Whether a text of a record names the subject; null if only the tickets matter. */
  names: ((text: string) => boolean) | null;
  now: number;
  /** Only counts, and changes nothing. */
  isDry: boolean;
}

/** What was, or would be, deleted. */
export interface PurgeReport {
  /** By name, in no particular order. */
  tickets: string[];
  /** Deleted rows of each table that has any. */
  deleted: Record<string, number>;
  /** Rows that stay without the subject, who was an agent there. */
  changed: Record<string, number>;
}

/** Deletes what is kept about one person, company or ticket, from every table. */
export async function purge(state: StateDb, order: PurgeOrder): Promise<PurgeReport> {
  const found: SubjectRows =
    order.names === null
      ? { tickets: new Set(), rows: new Map(), agents: new Map() }
      : await findNamed(state, order.names, order.now);
  for (const ticket of order.tickets) found.tickets.add(ticket);
  const deleted = await countOf(state, [...found.tickets]);
  for (const [table, keys] of found.rows) deleted[table] = (deleted[table] ?? 0) + keys.length;
  const changed = Object.fromEntries([...found.agents].map(([table, keys]) => [table, keys.length]));
  if (!order.isDry) await remove(state, found, order);
  return { tickets: [...found.tickets], deleted, changed };
}

/** Tables of which rows go with their ticket. */
const ofTickets = ['decisions', 'tickets', 'claims', 'syncs', 'rejections'] as const;

async function countOf(state: StateDb, names: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const chunk of chunksOf(names))
    for (const table of ofTickets) {
      const { count } = await state
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('ticket', 'in', chunk)
        // Of what was purged before, name and creation stay.
        .$if(table === 'tickets', (query) => query.where(sql<boolean>`active_at is not null`))
        .$if(table === 'syncs', (query) => query.where(sql<boolean>`kind = 'sync'`))
        .executeTakeFirstOrThrow();
      if (Number(count) > 0) counts[table] = (counts[table] ?? 0) + Number(count);
    }
  return counts;
}

async function remove(state: StateDb, { tickets, rows, agents }: SubjectRows, { names }: PurgeOrder): Promise<void> {
  const rest = restBetween();
  for (const ticket of tickets) {
    await state.transaction().execute(async (trx) => {
      const locked = await trx
        .updateTable('tickets')
        .set({ active_at: null })
        .where('ticket', '=', ticket)
        .returning('creation')
        .execute();
      for (const { creation } of locked) await forgetAll(trx, { name: ticket, creation });
    });
    await rest();
  }
  for (const [table, keys] of rows)
    for (const key of keys) {
      await sql`delete from ${sql.table(table)} where ${isRow(key)}`.execute(state);
      await rest();
    }
  if (names !== null) await change(state, agents, names);
  // Until then what was deleted stands in the log beside the file.
  if (engineOf(state) === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(state);
}

/** Takes the subject out of rows that name them as an agent. */
async function change(state: StateDb, agents: SubjectRows['agents'], names: (text: string) => boolean): Promise<void> {
  const rewrite = async (table: string, column: string, key: RowKey, without = restOf): Promise<void> => {
    const { rows } = await sql<{ record: string | null }>`select ${sql.ref(column)} as record from ${sql.table(table)}
      where ${isRow(key)}`.execute(state);
    const record = rows[0]?.record;
    const rest = record && names(record) ? without(record, names) : null;
    if (!rest) return;
    const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${rest}
      where ${isRow(key)} and ${sql.ref(column)} = ${record}`.execute(state);
    // Somebody has written to it since it was read.
    if (numAffectedRows === 0n) await rewrite(table, column, key, without);
  };
  for (const key of agents.get('decisions') ?? []) await rewrite('decisions', 'decision', key);
  for (const key of agents.get('tickets') ?? []) {
    await rewrite('tickets', 'inserted', key);
    await rewrite('tickets', 'owners', key, otherOwners);
  }
  for (const table of ['syncs', 'rejections'])
    for (const key of agents.get(table) ?? [])
      await sql`update ${sql.table(table)} set agent = ${removed} where ${isRow(key)}`.execute(state);
  for (const key of agents.get('turns') ?? [])
    await sql`update turns set last_agent = null where ${isRow(key)}`.execute(state);
}

/** Account owners without those who, or whose company, are the subject. */
function otherOwners(owners: string, names: Names): string {
  const all: unknown[] = JSON.parse(owners);
  return JSON.stringify(all.filter((one) => !names(JSON.stringify(one))));
}

function isRow(key: RowKey) {
  return sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  );
}

/** The key of a row, by column. */
type RowKey = Record<string, string | number>;

/** What names the subject. */
interface SubjectRows {
  /** Names of tickets. */
  tickets: Set<string>;
  /** Rows that go by themselves, by table. */
  rows: Map<string, RowKey[]>;
  /** Rows that name the subject only as an agent, by table. */
  agents: Map<string, RowKey[]>;
}

type Names = (text: string) => boolean;

/** Reads every text in all tables. */
async function findNamed(state: StateDb, names: Names, now: number): Promise<SubjectRows> {
  const found: SubjectRows = { tickets: new Set(), rows: new Map(), agents: new Map() };
  const put = (map: SubjectRows['rows'], { table, key }: NamingTable, row: NamingRow) => {
    const keys = map.get(table) ?? [];
    // An agent may be named by every decision: a copy of the list for each would take longer the longer it is.
    keys.push(Object.fromEntries(key.map((column) => [column, row[column] ?? ''])));
    map.set(table, keys);
  };
  for (const naming of namingTables) {
    const { table, key, subject = () => [], record, agent, goesAlone = () => false } = naming;
    for await (const row of walkTable(state, table, key)) {
      const isNamed = (column = '') => row[column] != null && names(String(row[column]));
      const isInRecord = isNamed(record);
      const isTheirRecord = isInRecord && (goesAlone(row) || restOf(String(row[record ?? '']), names) === null);
      const isTheirs = isTheirRecord || subject(row, now).some(isNamed);
      if (isTheirs && goesAlone(row)) put(found.rows, naming, row);
      else if (isTheirs) found.tickets.add(String(row.ticket));
      else if (isInRecord || isNamed(agent)) put(found.agents, naming, row);
    }
  }
  return found;
}

/** Rows per statement. */
const pageSize = 500;

/** Reads a whole table in the order of its primary key, page by page. */
async function* walkTable(db: StateDb, table: keyof StateSchema, key: readonly string[]): AsyncGenerator<NamingRow> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  let from = sql``;
  for (;;) {
    const { rows } = await sql<NamingRow>`select * from ${sql.table(table)} ${from}
      order by ${columns} limit ${pageSize}`.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    from = sql`where (${columns}) > (${sql.join(key.map((name) => last[name]))})`;
  }
}

/** The record without the agent. A record that cannot be read is the ticket's. */
function restOf(record: string, names: Names): string | null {
  try {
    return withoutAgent(record, names);
  } catch {
    return null;
  }
}

/** Whose data is to be deleted. */
export type PurgeSubject =
  | { kind: 'email'; value: string }
  | { kind: 'org_id'; value: OrgId }
  | { kind: 'ticket'; value: string };

/** Below this many digits an org id could be any number, part of a date for example. */
const unmistakable = 6;

/**
 * Whether a text, plain or JSON, names the subject: the address or the id as a whole, or one of the customers' names.
 * What only looks alike does not count: `an@shop.example` is not `lan@shop.example`, nor is 20000 2000012.
 *
 * @param customers names of the subject's customers
 */
export function namesSubject(subject: PurgeSubject, customers: readonly string[]): (text: string) => boolean {
  if (subject.kind === 'ticket') return () => false;
  const pattern = subject.kind === 'email' ? emailPattern(subject.value) : orgIdPattern(subject.value);
  const names = customers.map((name) => ({ name, quoted: JSON.stringify(name) }));
  return (text) => pattern.test(text) || names.some(({ name, quoted }) => text === name || text.includes(quoted));
}

function emailPattern(email: string): RegExp {
  const before = String.raw`(?<![\p{L}\p{N}._%+'-])`;
  const after = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;
  return new RegExp(`${before}${RegExp.escape(email)}${after}`, 'iu');
}

function orgIdPattern(id: OrgId): RegExp {
  if (id.length >= unmistakable) return new RegExp(`(?<!\\d)${id}(?!\\d)`);
  return new RegExp(`(?:^|")${id}(?:$|"| - )| - ${id}(?:$|")`);
}

/** What stands in place of an agent's address. */
const removed = 'removed';
const agentKeys: ReadonlySet<string> = new Set(['agent', 'user', 'owner', 'responsible']);
const agentEvidence: ReadonlySet<unknown> = new Set(['linked_by_agent', 'entered_by_agent']);

/**
 * A record, as JSON, without the subject where it stands for an agent: who was chosen, who could have been, who gave
 * their word, who made the ticket. The record stays true about the ticket's own company. Null if the subject is named anywhere else too.
 */
export function withoutAgent(record: string, names: (text: string) => boolean): string | null {
  const isNamed = (value: unknown) => typeof value === 'string' && names(value);
  const cleaned: unknown = JSON.parse(record, (key, value: unknown) => {
    if (agentKeys.has(key) && isNamed(value)) return removed;
    if (typeof value !== 'object' || value === null || !('code' in value) || !('value' in value)) return value;
    return agentEvidence.has(value.code) && isNamed(value.value) ? { ...value, value: removed } : value;
  });
  const text = JSON.stringify(cleaned);
  return names(text) ? null : text;
}

/**
 * Deletes what our records hold of one person, company or ticket, and the tickets' records as a whole
 * (docs/operate.md#deleting-one-persons-or-companys-data). The helpdesk says which tickets are theirs, since our
 * records need not name them. Throws HelpdeskError before anything is deleted.
 */
export async function purgeRecords(
  store: Pick<Store, 'db' | 'clock'>,
  search: WholeHelpdesk,
  subject: PurgeSubject,
  isDry: boolean,
  signal: AbortSignal,
): Promise<PurgeReport> {
  const { tickets, customers } = await ofHelpdesk(search, subject, signal);
  const names = subject.kind === 'ticket' ? null : namesSubject(subject, customers);
  return purge(store.db, { tickets, names, now: store.clock(), isDry });
}

async function ofHelpdesk(search: WholeHelpdesk, subject: PurgeSubject, signal: AbortSignal) {
  if (subject.kind === 'ticket') return { tickets: [subject.value], customers: [] };
  if (subject.kind === 'org_id') return search.ticketsOfCompany(subject.value, signal);
  return { tickets: await search.ticketsOfPerson(subject.value, signal), customers: [] };
}
