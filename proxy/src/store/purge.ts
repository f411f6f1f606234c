import { sql } from 'kysely';
import { restBetween } from '#runtime/concurrency.ts';
import { chunksOf } from './chunks.ts';
import { engineOf } from './engine.ts';
import { findNamed, type Named, type RowKey, restOf } from './find-named.ts';
import { removed } from './purge-subject.ts';
import type { CacheDb, StateDb } from './schema.ts';
import { forgetAll } from './tickets.ts';

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
export interface Purged {
  /** By name, in no particular order. */
  tickets: string[];
  /** Deleted rows of each table that has any. */
  deleted: Record<string, number>;
  /** Rows that stay without the subject, who was an agent there. */
  changed: Record<string, number>;
}

interface Databases {
  state: StateDb;
  cache: CacheDb;
}

/** Deletes what is kept about one person, company or ticket, from every table. */
export async function purge(databases: Databases, order: PurgeOrder): Promise<Purged> {
  const { state, cache } = databases;
  const found: Named =
    order.names === null
      ? { tickets: new Set(), rows: new Map(), agents: new Map() }
      : await findNamed(state, cache, order.names, order.now);
  for (const ticket of order.tickets) found.tickets.add(ticket);
  const deleted = await countOf(state, [...found.tickets]);
  for (const [table, keys] of found.rows) deleted[table] = (deleted[table] ?? 0) + keys.length;
  const changed = Object.fromEntries([...found.agents].map(([table, keys]) => [table, keys.length]));
  if (!order.isDry) await remove(databases, found, order);
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

async function remove(
  { state, cache }: Databases,
  { tickets, rows, agents }: Named,
  { names }: PurgeOrder,
): Promise<void> {
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
      await sql`delete from ${sql.table(table)} where ${isRow(key)}`.execute(table === 'crm_cache' ? cache : state);
      await rest();
    }
  if (names !== null) await change(state, agents, names);
  // Until then what was deleted stands in the log beside the file.
  if (engineOf(state) === 'sqlite')
    for (const db of [state, cache]) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/** Takes the subject out of rows that name them as an agent. */
async function change(state: StateDb, agents: Named['agents'], names: (text: string) => boolean): Promise<void> {
  const rewrite = async (table: string, column: string, key: RowKey) => {
    const { rows } = await sql<{ record: string }>`select ${sql.ref(column)} as record from ${sql.table(table)}
      where ${isRow(key)}`.execute(state);
    const rest = rows[0] && restOf(rows[0].record, names);
    if (rest) await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${rest} where ${isRow(key)}`.execute(state);
  };
  for (const key of agents.get('decisions') ?? []) await rewrite('decisions', 'decision', key);
  for (const key of agents.get('tickets') ?? []) await rewrite('tickets', 'inserted', key);
  for (const table of ['syncs', 'rejections'])
    for (const key of agents.get(table) ?? [])
      await sql`update ${sql.table(table)} set agent = ${removed} where ${isRow(key)}`.execute(state);
  for (const key of agents.get('turns') ?? [])
    await sql`update turns set last_agent = null where ${isRow(key)}`.execute(state);
}

function isRow(key: RowKey) {
  return sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  );
}
