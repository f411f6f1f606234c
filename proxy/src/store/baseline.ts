import { type Kysely, sql } from 'kysely';
import type { EngineName } from './engine.ts';

/** The table of `cache.db`: what the CRM said, and can be asked again. */
export async function makeCacheTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
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
}

/** The tables of `state.db`: what cannot be had again from anywhere. */
export async function makeStateTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await makeTicketTables(db, engine);
  await makeDecisionTables(db, engine);
  await makeCustomerTables(db, engine);
  await makeSharedTables(db, engine);
}

/** Tickets to work on, with what is kept of their inserts, and which org ids their senders have claimed. */
async function makeTicketTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
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
async function makeDecisionTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
  const identity = engine === 'sqlite' ? sql`integer` : sql`bigint generated always as identity`;
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
async function makeCustomerTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table, index } = makersFor(db, engine);
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

/** What processes share, and what is noted of the work as a whole. */
async function makeSharedTables(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { bigint, table } = makersFor(db, engine);
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
