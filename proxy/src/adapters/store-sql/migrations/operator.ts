import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';

/** The migrations of the operator page's tables, ordered by name. Released ones must not change. */
export function operatorMigrations(engine: EngineName): Record<string, Migration> {
  const bigint = engine === 'sqlite' ? sql`integer` : sql`bigint`;
  return {
    '0001_session': {
      async up(db: Kysely<unknown>) {
        const table = db.schema
          .createTable('operator_session')
          .addColumn('digest', 'text', (column) => column.notNull().primaryKey())
          .addColumn('user_id', 'text', (column) => column.notNull())
          .addColumn('full_name', 'text')
          .addColumn('language', 'text')
          .addColumn('roles', 'text', (column) => column.notNull())
          .addColumn('signed_in_at', bigint, (column) => column.notNull())
          .addColumn('used_at', bigint, (column) => column.notNull());
        await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
      },
    },
  };
}
