import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';

/** The migrations of leases and budgets, ordered by name. Released ones must not change. */
export function leaseMigrations(engine: EngineName): Record<string, Migration> {
  const bigint = engine === 'sqlite' ? sql`integer` : sql`bigint`;
  const strict = <T extends string>(table: CreateTableBuilder<T>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
  return {
    '0001_leases': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('lease')
            .addColumn('key', 'text', (column) => column.notNull().primaryKey())
            .addColumn('owner', 'text', (column) => column.notNull())
            .addColumn('until', bigint, (column) => column.notNull()),
        ).execute();
        await strict(
          db.schema
            .createTable('crm_budget')
            .addColumn('portal', 'text', (column) => column.notNull().primaryKey())
            .addColumn('empty_at', bigint, (column) => column.notNull()),
        ).execute();
      },
    },
    '0002_missing_anchor': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('missing_anchor')
            .addColumn('anchor', 'text', (column) => column.notNull().primaryKey())
            .addColumn('extension', 'text', (column) => column.notNull())
            .addColumn('helpdesk', 'text')
            .addColumn('at', bigint, (column) => column.notNull()),
        ).execute();
      },
    },
    '0003_upkeep': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('upkeep')
            .addColumn('task', 'text', (column) => column.notNull().primaryKey())
            .addColumn('note', 'text', (column) => column.notNull())
            .addColumn('at', bigint, (column) => column.notNull()),
        ).execute();
      },
    },
  };
}
