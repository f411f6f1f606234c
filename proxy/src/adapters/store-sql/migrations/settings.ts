import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';

/** The migrations of the settings, ordered by name. Released ones must not change. */
export function settingsMigrations(engine: EngineName): Record<string, Migration> {
  const bigint = engine === 'sqlite' ? sql`integer` : sql`bigint`;
  const strict = <T extends string>(table: CreateTableBuilder<T>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
  return {
    '0001_settings': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('setting')
            .addColumn('name', 'text', (column) => column.notNull())
            .addColumn('slot', 'text', (column) => column.notNull())
            .addColumn('value', 'text', (column) => column.notNull())
            .addColumn('sealed', 'integer', (column) => column.notNull())
            .addColumn('changed_at', bigint, (column) => column.notNull())
            .addColumn('changed_by', 'text', (column) => column.notNull())
            .addPrimaryKeyConstraint('setting_key', ['name', 'slot']),
        ).execute();
        await strict(
          db.schema
            .createTable('setting_change')
            .addColumn('version', bigint, (column) => column.notNull().primaryKey())
            .addColumn('at', bigint, (column) => column.notNull())
            .addColumn('author', 'text', (column) => column.notNull())
            .addColumn('name', 'text', (column) => column.notNull())
            .addColumn('slot', 'text', (column) => column.notNull())
            .addColumn('action', 'text', (column) => column.notNull())
            .addColumn('old', 'text')
            .addColumn('new', 'text'),
        ).execute();
        await strict(
          db.schema
            .createTable('settings_version')
            .addColumn('one', 'integer', (column) => column.notNull().primaryKey())
            .addColumn('version', bigint, (column) => column.notNull()),
        ).execute();
      },
    },
  };
}
