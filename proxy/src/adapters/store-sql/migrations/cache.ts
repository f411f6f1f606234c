import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';

/** The cache's migrations, ordered by name. Released ones must not change. */
export function cacheMigrations(engine: EngineName): Record<string, Migration> {
  const bigint = engine === 'sqlite' ? sql`integer` : sql`bigint`;
  const strict = <T extends string>(table: CreateTableBuilder<T>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
  return {
    '0001_crm_answers': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('crm_company_cache')
            .addColumn('portal', 'text', (column) => column.notNull())
            .addColumn('lookup', 'text', (column) => column.notNull())
            .addColumn('org_id', 'text', (column) => column.notNull())
            .addColumn('companies', 'text', (column) => column.notNull())
            .addColumn('found', 'integer', (column) => column.notNull())
            .addColumn('checked_at', bigint, (column) => column.notNull())
            .addColumn('outdated_at', bigint)
            .addPrimaryKeyConstraint('crm_company_cache_key', ['portal', 'lookup', 'org_id']),
        ).execute();
        await db.schema
          .createIndex('crm_company_cache_found')
          .on('crm_company_cache')
          .columns(['portal', 'found'])
          .execute();
        await strict(
          db.schema
            .createTable('crm_company_key')
            .addColumn('portal', 'text', (column) => column.notNull())
            .addColumn('company_id', 'text', (column) => column.notNull())
            .addColumn('lookup', 'text', (column) => column.notNull())
            .addColumn('org_id', 'text', (column) => column.notNull())
            .addColumn('checked_at', bigint, (column) => column.notNull())
            .addPrimaryKeyConstraint('crm_company_key_key', ['portal', 'company_id', 'lookup', 'org_id']),
        ).execute();
        await strict(
          db.schema
            .createTable('crm_user_cache')
            .addColumn('portal', 'text', (column) => column.notNull())
            .addColumn('user_id', 'text', (column) => column.notNull())
            .addColumn('crm_user', 'text', (column) => column.notNull())
            .addColumn('checked_at', bigint, (column) => column.notNull())
            .addPrimaryKeyConstraint('crm_user_cache_key', ['portal', 'user_id']),
        ).execute();
        for (const table of ['crm_company_cache', 'crm_company_key', 'crm_user_cache']) {
          await db.schema.createIndex(`${table}_checked_at`).on(table).column('checked_at').execute();
        }
        await strict(
          db.schema
            .createTable('cache_probe')
            .addColumn('id', 'integer', (column) => column.primaryKey())
            .addColumn('probes', bigint, (column) => column.notNull()),
        ).execute();
      },
    },
    '0002_negatives_by_age': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createIndex('crm_company_cache_negatives')
          .on('crm_company_cache')
          .columns(['portal', 'found', 'checked_at'])
          .execute();
        await db.schema.dropIndex('crm_company_cache_found').execute();
      },
    },
  };
}
