import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { folderOf, isPostgres } from '#store/engine/database-url.ts';
import type { EngineName } from '#store/engine/engine.ts';
import { placeOf, postgresPool } from '#store/engine/postgres.ts';
import { openSqlite } from '#store/engine/sqlite.ts';
import { StoreError } from '#store/engine/store-error.ts';
import { storeFiles } from '#store/store-files.ts';
import type { OurTable } from './our-tables.ts';
import { hasProxy, withClient } from './postgres/client.ts';
import { inUse } from './restoring.ts';
import { makeSingle, withSqliteFile } from './sqlite/file.ts';

type Tables = Kysely<never>;

/** The tables of a store as they are, for copying them as a whole. */
export interface OpenTables {
  engine: EngineName;
  of(table: OurTable): Tables;
  /** Everything or nothing: `work` is given where each table can be written. */
  transaction<T>(work: (of: (table: OurTable) => Tables) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a store whose tables are up to date. Throws StoreError. */
export async function openTables(databaseUrl: string): Promise<OpenTables> {
  if (isPostgres(databaseUrl)) {
    const { dialect } = await postgresPool(databaseUrl).open();
    const db: Tables = new Kysely({ dialect });
    return {
      engine: 'postgres',
      of: () => db,
      transaction: (work) => db.transaction().execute((trx) => work(() => trx)),
      close: () => db.destroy(),
    };
  }
  const folder = folderOf(databaseUrl);
  const files = storeFiles.map(({ name, kind }) => {
    const { dialect } = openSqlite(join(folder, name), kind);
    return { name, db: new Kysely({ dialect }) as Tables };
  });
  return {
    engine: 'sqlite',
    of: ({ file }) => nameIn(files, file.name),
    transaction: (work) => withAll(files, [], (open) => work(({ file }) => nameIn(open, file.name))),
    close: async () => void (await Promise.all(files.map(({ db }) => db.destroy()))),
  };
}

interface OpenFile {
  name: string;
  db: Tables;
}

function nameIn(files: readonly OpenFile[], wanted: string): Tables {
  const found = files.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`There is no ${wanted}`);
  return found.db;
}

/** A transaction in every file, one inside the other; the inner ones are kept first. */
function withAll<T>(
  [next, ...rest]: readonly OpenFile[],
  open: readonly OpenFile[],
  work: (open: readonly OpenFile[]) => Promise<T>,
): Promise<T> {
  if (next === undefined) return work(open);
  const inside = (trx: Transaction<never>) => withAll(rest, [...open, { name: next.name, db: trx }], work);
  return next.db.transaction().execute(inside);
}

/** Throws StoreError if there is no store, or a proxy has it open as far as that can be seen. */
export async function requireIdle(databaseUrl: string): Promise<void> {
  if (isPostgres(databaseUrl)) {
    const isBusy = await withClient(databaseUrl, hasProxy);
    if (isBusy) throw inUse(placeOf(databaseUrl));
    return;
  }
  const folder = folderOf(databaseUrl);
  const present = storeFiles.filter(({ name }) => existsSync(join(folder, name)));
  if (present.length === 0) throw new StoreError(`There is no store in ${folder}.`);
  for (const { name, kind } of present) {
    const path = join(folder, name);
    if (!(await withSqliteFile(path, kind, makeSingle))) throw inUse(path);
  }
}
