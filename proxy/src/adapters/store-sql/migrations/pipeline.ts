import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineName } from '#adapters/store-sql/engine/engine.ts';
import { rememberTickets } from './remember-tickets.ts';
import { rewriteDecisions } from './rewrite-decisions.ts';

/** The pipeline's migrations, ordered by name. Released ones must not change. */
export function pipelineMigrations(engine: EngineName): Record<string, Migration> {
  const bigint = engine === 'sqlite' ? sql`integer` : sql`bigint`;
  const strict = <T extends string>(table: CreateTableBuilder<T>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
  return {
    '0001_inbox': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('ticket_event')
            .addColumn('digest', 'text', (column) => column.notNull().primaryKey())
            .addColumn('ticket', 'text', (column) => column.notNull())
            .addColumn('received_at', bigint, (column) => column.notNull()),
        ).execute();
        await db.schema.createIndex('ticket_event_received').on('ticket_event').column('received_at').execute();
        await strict(
          db.schema
            .createTable('ticket_work')
            .addColumn('ticket', 'text', (column) => column.notNull().primaryKey())
            .addColumn('cause', 'text', (column) => column.notNull())
            .addColumn('since', bigint, (column) => column.notNull())
            .addColumn('due_at', bigint)
            .addColumn('attempts', bigint, (column) => column.notNull())
            .addColumn('revision', bigint, (column) => column.notNull())
            .addColumn('claimed_by', 'text')
            .addColumn('claimed_until', bigint),
        ).execute();
        // Excludes finished tickets, which are nearly all of them.
        await db.schema
          .createIndex('ticket_work_due')
          .on('ticket_work')
          .columns(['due_at', 'since'])
          .where(sql.ref('due_at'), 'is not', null)
          .execute();
        await strict(
          db.schema
            .createTable('sweep_mark')
            .addColumn('id', 'integer', (column) => column.primaryKey())
            .addColumn('from_stamp', 'text', (column) => column.notNull())
            .addColumn('until_stamp', 'text', (column) => column.notNull()),
        ).execute();
      },
    },
    '0002_decisions': {
      async up(db: Kysely<unknown>) {
        const identity = engine === 'sqlite' ? sql`integer` : sql`bigint generated always as identity`;
        await strict(
          db.schema
            .createTable('routing_decision')
            .addColumn('id', identity, (column) => column.primaryKey())
            .addColumn('ticket', 'text', (column) => column.notNull())
            .addColumn('number', 'integer', (column) => column.notNull())
            .addColumn('latest', 'integer', (column) => column.notNull())
            .addColumn('waiting', 'integer', (column) => column.notNull())
            .addColumn('decision', 'text', (column) => column.notNull())
            .addUniqueConstraint('routing_decision_ticket', ['ticket', 'number']),
        ).execute();
        await db.schema
          .createIndex('routing_decision_waiting')
          .on('routing_decision')
          .column('id')
          .where(sql.ref('waiting'), '=', sql.lit(1))
          .execute();
        await strict(
          db.schema
            .createTable('team_cursor')
            .addColumn('team', 'text', (column) => column.notNull().primaryKey())
            .addColumn('last_agent', 'text'),
        ).execute();
        await strict(
          db.schema
            .createTable('preliminary_decision')
            .addColumn('key', 'text', (column) => column.notNull().primaryKey())
            .addColumn('team', 'text', (column) => column.notNull())
            .addColumn('reason', 'text', (column) => column.notNull())
            .addColumn('at', bigint, (column) => column.notNull()),
        ).execute();
        await strict(
          db.schema
            .createTable('first_sight')
            .addColumn('ticket', 'text', (column) => column.notNull())
            .addColumn('creation', 'text', (column) => column.notNull())
            .addColumn('sight', 'text', (column) => column.notNull())
            .addColumn('at', bigint, (column) => column.notNull())
            .addPrimaryKeyConstraint('first_sight_key', ['ticket', 'creation']),
        ).execute();
        await db.schema.createIndex('preliminary_decision_at').on('preliminary_decision').column('at').execute();
      },
    },
    '0003_not_their_turn': {
      async up(db: Kysely<unknown>) {
        // In a candidate the reason comes last, and quotes within text are escaped: only reasons match this.
        await rewriteDecisions(db, '"reason":"not_his_turn"}', '"reason":"not_their_turn"}');
      },
    },
    '0004_open_claims': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('routing_decision').addColumn('open_claim', 'text').execute();
        await db.schema
          .createIndex('routing_decision_open_claim')
          .on('routing_decision')
          .column('open_claim')
          .where(sql.ref('open_claim'), 'is not', null)
          .execute();
      },
    },
    // Reads the sync log as well, whose tables are therefore made first.
    '0005_ticket_memory': {
      async up(db: Kysely<unknown>) {
        await strict(
          db.schema
            .createTable('ticket_memory')
            .addColumn('ticket', 'text', (column) => column.notNull().primaryKey())
            .addColumn('active_at', bigint, (column) => column.notNull())
            .addColumn('gone', 'integer', (column) => column.notNull()),
        ).execute();
        await db.schema.createIndex('ticket_memory_active').on('ticket_memory').column('active_at').execute();
        await strict(
          db.schema
            .createTable('ticket_tombstone')
            .addColumn('ticket', 'text', (column) => column.notNull())
            .addColumn('creation', 'text', (column) => column.notNull())
            .addColumn('team', 'text')
            .addColumn('forgotten_at', bigint, (column) => column.notNull())
            .addPrimaryKeyConstraint('ticket_tombstone_key', ['ticket', 'creation']),
        ).execute();
        await db.schema
          .createIndex('ticket_work_finished')
          .on('ticket_work')
          .column('since')
          .where(sql.ref('due_at'), 'is', null)
          .execute();
        await rememberTickets(db);
      },
    },
    '0006_waiting_by_team': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('routing_decision').addColumn('waiting_team', 'text').execute();
        await db.schema
          .createIndex('routing_decision_waiting_team')
          .on('routing_decision')
          .columns(['waiting_team', 'id'])
          .where(sql.ref('waiting'), '=', sql.lit(1))
          .execute();
      },
    },
    '0007_without_team': {
      async up(db: Kysely<unknown>) {
        // As a rule empty. SQLite steps into the index by team; PostgreSQL, which takes a team to be as likely absent among
        // those that wait as among all, would walk through all that wait to find none.
        if (engine === 'sqlite') return;
        await db.schema
          .createIndex('routing_decision_without_team')
          .on('routing_decision')
          .column('id')
          .where(sql.ref('waiting'), '=', sql.lit(1))
          .where(sql.ref('waiting_team'), 'is', null)
          .execute();
      },
    },
    '0008_events_by_ticket': {
      async up(db: Kysely<unknown>) {
        await db.schema.createIndex('ticket_event_ticket').on('ticket_event').column('ticket').execute();
      },
    },
  };
}
