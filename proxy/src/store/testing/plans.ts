import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type CompiledQuery, Kysely } from 'kysely';
import { sqliteDialect } from '#store/engine/sqlite-dialect.ts';
import { openStore } from '#store/store.ts';

interface Statement {
  compile(...by: never[]): CompiledQuery;
}

/** A list of compiled queries for every statement that a file exports, so that none is forgotten. */
export type Compiled<File, Schema> = {
  [name in keyof File as File[name] extends (...asked: never[]) => Statement | Statement[] ? name : never]: (
    db: Kysely<Schema>,
  ) => CompiledQuery[];
};

/** How SQLite would run each statement, step by step, on an empty store in the folder. */
export async function plansOf<Schema>(
  folder: string,
  file: string,
  compiled: Record<string, (db: Kysely<Schema>) => CompiledQuery[]>,
): Promise<string[]> {
  await (await openStore(`file:${folder}`)).close();
  const database = new Sqlite(join(folder, file));
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database) });
  const queries = Object.values(compiled).flatMap((make) => make(db));
  const plans = queries.flatMap((query) =>
    database
      .prepare<unknown[], { detail: string }>(`explain query plan ${query.sql}`)
      .all(...query.parameters)
      .map(({ detail }) => detail),
  );
  database.close();
  return plans;
}
