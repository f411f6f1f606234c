import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';

/** The migrations of the sync log and of our own records about customers, ordered by name. Released ones must not change. */
export function syncLogMigrations(engine: EngineName): Record<string, Migration> {
  const bigint = engine === 'sqlite' ? sql`integer` : sql`bigint`;
  return {
    '0001_sync_log': {
      async up(db: Kysely<unknown>) {
        const table = db.schema
          .createTable('sync_log')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('ticket', 'text', (column) => column.notNull())
          .addColumn('agent', 'text', (column) => column.notNull())
          .addColumn('org_id', 'text', (column) => column.notNull())
          .addColumn('crm_company_id', 'text', (column) => column.notNull())
          .addColumn('customer', 'text', (column) => column.notNull())
          .addColumn('previous_customer', 'text')
          .addColumn('at', bigint, (column) => column.notNull())
          .addColumn('undone_at', bigint);
        await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
        await db.schema.createIndex('sync_log_ticket').on('sync_log').columns(['ticket', 'at']).execute();
      },
    },
    '0002_customer_binding': {
      async up(db: Kysely<unknown>) {
        const table = db.schema
          .createTable('customer_binding')
          .addColumn('customer', 'text', (column) => column.notNull())
          .addColumn('org_id', 'text', (column) => column.notNull())
          .addColumn('at', bigint, (column) => column.notNull())
          .addPrimaryKeyConstraint('customer_binding_key', ['org_id', 'customer']);
        await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
      },
    },
    '0003_customer_written': {
      async up(db: Kysely<unknown>) {
        const table = db.schema
          .createTable('customer_written')
          .addColumn('customer', 'text', (column) => column.notNull().primaryKey())
          .addColumn('facts', 'text', (column) => column.notNull())
          .addColumn('at', bigint, (column) => column.notNull());
        await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
      },
    },
    '0004_adopted': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('sync_log').addColumn('adopted', 'text').execute();
      },
    },
    '0005_company_rejection': {
      async up(db: Kysely<unknown>) {
        const table = db.schema
          .createTable('company_rejection')
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
          .addColumn('lifted_by', 'text');
        await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
        for (const column of ['ticket', 'sender', 'lifted_by'])
          await db.schema
            .createIndex(`company_rejection_${column}`)
            .on('company_rejection')
            .columns([column])
            .execute();
      },
    },
    '0006_sync_sender': {
      async up(db: Kysely<unknown>) {
        for (const column of ['sender', 'sender_domain']) {
          await db.schema.alterTable('sync_log').addColumn(column, 'text').execute();
          await db.schema.createIndex(`sync_log_${column}`).on('sync_log').columns([column, 'at']).execute();
        }
      },
    },
  };
}
