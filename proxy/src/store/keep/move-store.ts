import { type Kysely, sql } from 'kysely';
import type { EngineName } from '#store/engine/engine.ts';
import { StoreError } from '#store/engine/store-error.ts';
import { walkTable } from '#store/purge/walk-table.ts';
import { openStore } from '#store/store.ts';
import { openTables, requireIdle } from './open-tables.ts';
import { type OurTable, ourTables } from './our-tables.ts';

/** Rows that are written by one statement. */
const portion = 200;

/** How far a move has come, in rows of all tables. */
export type OnMoved = (moved: number, total: number) => void;

/**
 * Copies every table of a store into another place that has none or an empty one, in portions and in one transaction:
 * should it fail, the target is as empty as before, and it can be run again. The tables of both are brought up to date
 * first. The source stays. Gives the rows of each table, counted in the target.
 *
 * @throws StoreError if a proxy has the source open, the target is not empty, or the counts differ
 */
export async function moveStore(from: string, to: string, onMoved: OnMoved): Promise<Record<string, number>> {
  await requireIdle(from);
  for (const url of [from, to]) await (await openStore(url)).close();
  const tables = await ourTables();
  const source = await openTables(from);
  try {
    const target = await openTables(to);
    try {
      await requireEmpty(tables, target.of);
      const counts: Record<string, number> = {};
      for (const table of tables) counts[table.name] = await countOf(source.of(table), table);
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      let moved = 0;
      return await target.transaction(async (writable) => {
        for (const table of tables) {
          const into = writable(table);
          for await (const rows of portionsOf(source.of(table), table)) {
            await insert(into, target.engine, table, rows);
            moved += rows.length;
            onMoved(moved, total);
          }
          if (target.engine === 'postgres') await continueIdentity(into, table);
          const arrived = await countOf(into, table);
          if (arrived !== counts[table.name])
            throw new StoreError(
              `Of ${counts[table.name]} rows of ${table.name}, ${arrived} arrived; nothing was kept.`,
            );
        }
        return counts;
      });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function requireEmpty(tables: readonly OurTable[], of: (table: OurTable) => Kysely<never>): Promise<void> {
  for (const table of tables)
    if ((await countOf(of(table), table)) > 0)
      throw new StoreError(`The target is not empty: ${table.name} has rows. Move into an empty place.`);
}

async function countOf(db: Kysely<never>, { name }: OurTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return Number(rows[0]?.count);
}

async function* portionsOf(db: Kysely<never>, { name, key, columns }: OurTable): AsyncGenerator<object[]> {
  const others = columns.filter((column) => !key.includes(column));
  let rows: object[] = [];
  for await (const row of walkTable(db, name, key, others)) {
    rows.push(row);
    if (rows.length < portion) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

async function insert(
  db: Kysely<never>,
  engine: EngineName,
  { name, columns }: OurTable,
  rows: readonly object[],
): Promise<void> {
  const values = rows.map(
    (row) => sql`(${sql.join(columns.map((column) => row[column as keyof typeof row] ?? null))})`,
  );
  // Ids are kept: other rows and people's notes name them.
  const keepingIds = engine === 'postgres' ? sql`overriding system value` : sql``;
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) ${keepingIds}
    values ${sql.join(values)}`.execute(db);
}

/** Has PostgreSQL number the next row after those that came with their numbers. */
async function continueIdentity(db: Kysely<never>, { name }: OurTable): Promise<void> {
  const { rows } = await sql<{ column: string }>`select column_name as column from information_schema.columns
    where table_schema = current_schema() and table_name = ${name} and is_identity = 'YES'`.execute(db);
  for (const { column } of rows)
    await sql`select setval(pg_get_serial_sequence(quote_ident(${name}), ${column}), max(${sql.ref(column)}))
      from ${sql.table(name)} having max(${sql.ref(column)}) is not null`.execute(db);
}
