import { type QueryExecutorProvider, sql } from 'kysely';

/** Rows per statement. */
const pageSize = 500;

/**
 * Reads a whole table in the order of its key, page by page.
 *
 * @param key the columns of its primary key
 * @param columns the others that are needed
 */
export async function* walkTable<Key extends string, Column extends string>(
  db: QueryExecutorProvider,
  table: string,
  key: readonly Key[],
  columns: readonly Column[],
): AsyncGenerator<Record<Key, string | number> & Record<Column, string | null>> {
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  let after: unknown[] | null = null;
  for (;;) {
    const from: ReturnType<typeof sql> = after === null ? sql`` : sql`where (${list(key)}) > (${sql.join(after)})`;
    const { rows } = await sql<Record<string, unknown>>`select ${list([...key, ...columns])} from ${sql.table(table)}
      ${from} order by ${list(key)} limit ${pageSize}`.execute(db);
    yield* rows as (Record<Key, string | number> & Record<Column, string | null>)[];
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = key.map((name) => last[name]);
  }
}
