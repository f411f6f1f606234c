import type { QueryExecutorProvider } from 'kysely';
import { withoutAgent } from './purge-subject.ts';
import { walkTable } from './walk-table.ts';

/** The key of a row, by column. */
export type RowKey = Record<string, string | number>;

/** What names the subject. */
export interface Named {
  /** Names of tickets. */
  tickets: Set<string>;
  /** Rows that go by themselves, by table. */
  rows: Map<string, RowKey[]>;
  /** Rows that name the subject only as an agent, by table. */
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
  const put = (map: Map<string, RowKey[]>, table: string, row: object, key: readonly string[]) => {
    const keys = map.get(table) ?? [];
    keys.push(Object.fromEntries(Object.entries(row).filter(([column]) => key.includes(column))));
    map.set(table, keys);
  };
  const named = (text: string | number | null) => text !== null && names(String(text));

  for (const { table, key, record } of [
    { table: 'decisions', key: ['id'], record: 'decision' },
    { table: 'tickets', key: ['ticket', 'creation'], record: 'inserted' },
  ] as const)
    for await (const row of walkTable<string, string>(state, table, key, ['ticket', 'creation', record])) {
      const text = row[record];
      if (typeof text !== 'string' || !names(text)) continue;
      // Made before the ticket had a name.
      if (row.creation === '') put(found.rows, table, row, key);
      else if (restOf(text, names) === null) found.tickets.add(String(row.ticket));
      else put(found.agents, table, row, key);
    }
  for await (const { sender, org_id, ticket } of walkTable(
    state,
    'claims',
    ['sender', 'org_id', 'ticket', 'creation'],
    [],
  ))
    if (named(sender) || named(org_id)) found.tickets.add(String(ticket));
  const ofSync = ['kind', 'ticket', 'agent', 'org_id', 'customer', 'before', 'sender'] as const;
  for await (const row of walkTable(state, 'syncs', ['id'], ofSync)) {
    const isNamed = [row.org_id, row.customer, row.before, row.sender].some(named);
    if (isNamed && row.kind === 'sync') found.tickets.add(String(row.ticket));
    else if (isNamed) put(found.rows, 'syncs', row, ['id']);
    else if (named(row.agent)) put(found.agents, 'syncs', row, ['id']);
  }
  const ofRejection = ['ticket', 'agent', 'org_id', 'company_name', 'sender', 'reason', 'taken'] as const;
  for await (const row of walkTable(state, 'rejections', ['id'], ofRejection)) {
    if ([row.org_id, row.company_name, row.sender, row.reason, row.taken].some(named))
      found.tickets.add(String(row.ticket));
    else if (named(row.agent)) put(found.agents, 'rejections', row, ['id']);
  }
  for await (const row of walkTable(state, 'turns', ['team'], ['last_agent']))
    if (named(row.last_agent)) put(found.agents, 'turns', row, ['team']);
  for await (const row of walkTable(cache, 'crm_cache', ['portal', 'kind', 'key'], ['answer']))
    if (named(row.answer) || (row.kind !== 'user' && named(row.key)))
      put(found.rows, 'crm_cache', row, ['portal', 'kind', 'key']);
  // One that is held disappears with its holder; what a crash has left is over.
  for await (const row of walkTable(state, 'leases', ['key'], ['until']))
    if (named(row.key) && Number(row.until) <= now) put(found.rows, 'leases', row, ['key']);
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
