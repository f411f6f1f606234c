import { type Kysely, sql } from 'kysely';
import type { EngineName } from './engine.ts';

/** The tables of `cache.db`: what the CRM said, and can be asked again. */
export async function makeCacheTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
  await table('crm_company_cache')
    .addColumn('portal', 'text', (column) => column.notNull())
    .addColumn('lookup', 'text', (column) => column.notNull())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('companies', 'text', (column) => column.notNull())
    .addColumn('found', 'integer', (column) => column.notNull())
    .addColumn('checked_at', bigint, (column) => column.notNull())
    .addColumn('outdated_at', bigint)
    .addPrimaryKeyConstraint('crm_company_cache_key', ['portal', 'lookup', 'org_id'])
    .execute();
  await index('crm_company_cache_negatives', 'crm_company_cache', ['portal', 'found', 'checked_at']).execute();
  await table('crm_company_key')
    .addColumn('portal', 'text', (column) => column.notNull())
    .addColumn('company_id', 'text', (column) => column.notNull())
    .addColumn('lookup', 'text', (column) => column.notNull())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('checked_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('crm_company_key_key', ['portal', 'company_id', 'lookup', 'org_id'])
    .execute();
  await table('crm_user_cache')
    .addColumn('portal', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('crm_user', 'text', (column) => column.notNull())
    .addColumn('checked_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('crm_user_cache_key', ['portal', 'user_id'])
    .execute();
  for (const name of ['crm_company_cache', 'crm_company_key', 'crm_user_cache'])
    await index(`${name}_checked_at`, name, ['checked_at']).execute();
  await table('cache_probe')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('probes', bigint, (column) => column.notNull())
    .execute();
}

/** The tables of `state.db`: what cannot be had again from anywhere. */
export async function makeStateTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await makeSharedTables(db, engine);
  await makeCustomerTables(db, engine);
  await makeInboxTables(db, engine);
  await makeDecisionTables(db, engine);
}

/** What processes share, and what the store remembers of the work on it. */
async function makeSharedTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table } = makersFor(db, engine);
  await table('lease')
    .addColumn('key', 'text', (column) => column.notNull().primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('until', bigint, (column) => column.notNull())
    .execute();
  await table('crm_budget')
    .addColumn('portal', 'text', (column) => column.notNull().primaryKey())
    .addColumn('empty_at', bigint, (column) => column.notNull())
    .execute();
  await table('missing_anchor')
    .addColumn('anchor', 'text', (column) => column.notNull().primaryKey())
    .addColumn('extension', 'text', (column) => column.notNull())
    .addColumn('helpdesk', 'text')
    .addColumn('at', bigint, (column) => column.notNull())
    .execute();
  await table('upkeep')
    .addColumn('task', 'text', (column) => column.notNull().primaryKey())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .execute();
}

/** The sync log and our own records about customers. */
async function makeCustomerTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
  await table('sync_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('crm_company_id', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('previous_customer', 'text')
    .addColumn('at', bigint, (column) => column.notNull())
    .addColumn('undone_at', bigint)
    .addColumn('sender', 'text')
    .addColumn('sender_domain', 'text')
    .execute();
  for (const column of ['ticket', 'sender', 'sender_domain'])
    await index(`sync_log_${column}`, 'sync_log', [column, 'at']).execute();
  await table('company_rejection')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('ticket', 'text', (column) => column.notNull())
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
  for (const column of ['ticket', 'sender', 'lifted_by'])
    await index(`company_rejection_${column}`, 'company_rejection', [column]).execute();
  await table('customer_adoption')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('crm_company_id', 'text', (column) => column.notNull())
    .addColumn('company_name', 'text')
    .addColumn('by_user', 'text')
    .addColumn('via', 'text', (column) => column.notNull())
    .addColumn('ticket', 'text')
    .addColumn('changes', 'text', (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .addColumn('undone_at', bigint)
    .execute();
  await index('customer_adoption_customer', 'customer_adoption', ['customer', 'at']).execute();
}

async function makeInboxTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
  await table('ticket_event')
    .addColumn('digest', 'text', (column) => column.notNull().primaryKey())
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('received_at', bigint, (column) => column.notNull())
    .execute();
  await index('ticket_event_received', 'ticket_event', ['received_at']).execute();
  await index('ticket_event_ticket', 'ticket_event', ['ticket']).execute();
  await table('ticket_work')
    .addColumn('ticket', 'text', (column) => column.notNull().primaryKey())
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('since', bigint, (column) => column.notNull())
    .addColumn('due_at', bigint)
    .addColumn('attempts', bigint, (column) => column.notNull())
    .addColumn('revision', bigint, (column) => column.notNull())
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', bigint)
    .execute();
  // Excludes finished tickets, which are nearly all of them.
  await index('ticket_work_due', 'ticket_work', ['due_at', 'since']).where(sql.ref('due_at'), 'is not', null).execute();
  await index('ticket_work_finished', 'ticket_work', ['since']).where(sql.ref('due_at'), 'is', null).execute();
  await table('sweep_mark')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('from_stamp', 'text', (column) => column.notNull())
    .addColumn('until_stamp', 'text', (column) => column.notNull())
    .execute();
}

/** Decisions, turns, and what is remembered of tickets. */
async function makeDecisionTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
  const identity = engine === 'sqlite' ? sql`integer` : sql`bigint generated always as identity`;
  await table('routing_decision')
    .addColumn('id', identity, (column) => column.primaryKey())
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('latest', 'integer', (column) => column.notNull())
    .addColumn('waiting', 'integer', (column) => column.notNull())
    .addColumn('waiting_team', 'text')
    .addColumn('open_claim', 'text')
    .addColumn('decision', 'text', (column) => column.notNull())
    .addUniqueConstraint('routing_decision_ticket', ['ticket', 'number'])
    .execute();
  const isWaiting = [sql.ref('waiting'), '=', sql.lit(1)] as const;
  await index('routing_decision_waiting', 'routing_decision', ['id'])
    .where(...isWaiting)
    .execute();
  await index('routing_decision_waiting_team', 'routing_decision', ['waiting_team', 'id'])
    .where(...isWaiting)
    .execute();
  await index('routing_decision_open_claim', 'routing_decision', ['open_claim'])
    .where(sql.ref('open_claim'), 'is not', null)
    .execute();
  await table('team_cursor')
    .addColumn('team', 'text', (column) => column.notNull().primaryKey())
    .addColumn('last_agent', 'text')
    .execute();
  await table('preliminary_decision')
    .addColumn('key', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .execute();
  await index('preliminary_decision_at', 'preliminary_decision', ['at']).execute();
  await table('ticket_insert')
    .addColumn('ticket', 'text', (column) => column.notNull())
    .addColumn('creation', 'text', (column) => column.notNull())
    .addColumn('sender', 'text')
    .addColumn('inserted', 'text')
    .addColumn('org_ids', 'text', (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('ticket_insert_key', ['ticket', 'creation'])
    .execute();
  await index('ticket_insert_sender', 'ticket_insert', ['sender']).execute();
  await table('ticket_memory')
    .addColumn('ticket', 'text', (column) => column.notNull().primaryKey())
    .addColumn('active_at', bigint, (column) => column.notNull())
    .addColumn('gone', 'integer', (column) => column.notNull())
    .execute();
  await index('ticket_memory_active', 'ticket_memory', ['active_at']).execute();
}

function makersFor(db: Kysely<unknown>, engine: EngineName) {
  const isSqlite = engine === 'sqlite';
  return {
    bigint: isSqlite ? sql`integer` : sql`bigint`,
    table(name: string) {
      const made = db.schema.createTable(name);
      return isSqlite ? made.modifyEnd(sql`strict`) : made;
    },
    index: (name: string, on: string, columns: string[]) => db.schema.createIndex(name).on(on).columns(columns),
  };
}
