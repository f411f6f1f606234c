import type { QueryExecutorProvider } from 'kysely';
import { withoutAgent } from './purge-subject.ts';
import { walkTable } from './walk-table.ts';

/** The key of a row, by column. */
export type RowKey = Record<string, string | number>;

/** What names the subject. */
export interface Named {
  tickets: Set<string>;
  /** Rows that go by themselves, by table. */
  rows: Map<string, RowKey[]>;
  /** Rows that name the subject only as an agent, by table: the ids. */
  agents: Map<string, RowKey[]>;
}

type Names = (text: string) => boolean;

/** Reads every text in both databases. `state` and `cache` may be the same one. */
export async function findNamed(
  state: QueryExecutorProvider,
  cache: QueryExecutorProvider,
  names: Names,
  now: number,
): Promise<Named> {
  const found: Named = { tickets: new Set(), rows: new Map(), agents: new Map() };
  const put = (map: Map<string, RowKey[]>, table: string, key: RowKey) => {
    const keys = map.get(table);
    if (keys) keys.push(key);
    else map.set(table, [key]);
  };
  const named = (text: string | null) => text !== null && names(text);

  for (const { table, key, record } of [
    { table: 'routing_decision', key: ['id'], record: 'decision' },
    { table: 'ticket_insert', key: ['ticket', 'creation'], record: 'inserted' },
  ] as const)
    for await (const row of walkTable<string, string>(state, table, key, ['ticket', record])) {
      const text = row[record];
      if (typeof text !== 'string' || !names(text)) continue;
      if (restOf(text, names) === null) found.tickets.add(String(row.ticket));
      else put(found.agents, table, keyOf(row, key));
    }

  for await (const row of walkTable<string, string>(
    state,
    'ticket_insert',
    ['ticket', 'creation'],
    ['sender', 'org_ids'],
  ))
    if ([row.sender, row.org_ids].some((text) => named(text ?? null))) found.tickets.add(String(row.ticket));
  const syncs = ['ticket', 'agent', 'org_id', 'customer', 'previous_customer', 'sender'] as const;
  for await (const row of walkTable(state, 'sync_log', ['id'], syncs)) {
    if ([row.org_id, row.customer, row.previous_customer, row.sender].some(named))
      found.tickets.add(String(row.ticket));
    else if (named(row.agent)) put(found.agents, 'sync_log', keyOf(row, ['id']));
  }
  const rejections = [
    ...(['ticket', 'agent', 'org_id', 'company_name'] as const),
    ...(['sender', 'reason', 'taken'] as const),
  ];
  for await (const row of walkTable(state, 'company_rejection', ['id'], rejections)) {
    if ([row.org_id, row.company_name, row.sender, row.reason, row.taken].some(named))
      found.tickets.add(String(row.ticket));
    else if (named(row.agent)) put(found.agents, 'company_rejection', keyOf(row, ['id']));
  }
  const adoptions = ['by_user', 'customer', 'org_id', 'company_name', 'changes'] as const;
  for await (const row of walkTable(state, 'customer_adoption', ['id'], adoptions)) {
    if ([row.customer, row.org_id, row.company_name, row.changes].some(named))
      put(found.rows, 'customer_adoption', keyOf(row, ['id']));
    else if (named(row.by_user)) put(found.agents, 'customer_adoption', keyOf(row, ['id']));
  }
  for await (const row of walkTable(state, 'team_cursor', ['team'], ['last_agent']))
    if (named(row.last_agent)) put(found.agents, 'team_cursor', keyOf(row, ['team']));

  const whole: { db: QueryExecutorProvider; table: string; key: string[]; texts: string[] }[] = [
    { db: state, table: 'preliminary_decision', key: ['key'], texts: ['reason'] },
    { db: cache, table: 'crm_company_cache', key: ['portal', 'lookup', 'org_id'], texts: ['companies'] },
    { db: cache, table: 'crm_company_key', key: ['portal', 'company_id', 'lookup', 'org_id'], texts: [] },
    { db: cache, table: 'crm_user_cache', key: ['portal', 'user_id'], texts: ['crm_user'] },
  ];
  for (const { db, table, key, texts } of whole)
    for await (const row of walkTable<string, string>(db, table, key, texts)) {
      const about = [...texts, ...key.filter((column) => column === 'org_id')];
      if (about.some((column) => named(String(row[column])))) put(found.rows, table, keyOf(row, key));
    }
  // One that is held disappears with its holder; what a crash has left is over.
  for await (const row of walkTable(state, 'lease', ['key'], ['until']))
    if (named(String(row.key)) && Number(row.until) <= now) put(found.rows, 'lease', keyOf(row, ['key']));
  return found;
}

/** The record without the agent. A record that cannot be read is the ticket's. */
export function restOf(record: string, names: Names): string | null {
  try {
    return withoutAgent(record, names);
  } catch {
    return null;
  }
}

function keyOf(row: Record<string, unknown>, columns: readonly string[]): RowKey {
  return Object.fromEntries(columns.map((column) => [column, row[column] as string | number]));
}
