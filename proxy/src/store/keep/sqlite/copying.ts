import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { Kysely } from 'kysely';
import { sqliteDialect } from '#store/engine/sqlite-dialect.ts';
import { StoreError } from '#store/engine/store-error.ts';
import type { Copying } from '#store/keep/copying.ts';
import type { StateSchema } from '#store/schema.ts';
import { stateDb, storeFiles } from '#store/store-files.ts';
import { noteBackup } from '#store/upkeep/upkeep.ts';
import { type FileContent, makeSingle, namesIn, readContent, withSqliteFile } from './file.ts';

/** Pages per step of SQLite's online backup: 32 MB. */
const pagesAtOnce = 8_192;

/** Copies the files of a store one by one; neither refers to the other. */
export function sqliteCopying(folder: string): Copying {
  return {
    engine: 'sqlite',
    async copyInto(target) {
      const content: FileContent = { migration: '', rows: {} };
      const present = storeFiles.filter(({ name }) => existsSync(join(folder, name)));
      if (!present.some(({ name }) => name === stateDb.name)) throw new StoreError(`There is no store in ${folder}.`);
      for (const { name, kind } of present) {
        await withSqliteFile(join(folder, name), kind, (database) => copy(database, join(target, name)));
        const found = await withSqliteFile(join(target, name), kind, (database) => {
          makeSingle(database);
          return readContent(database);
        });
        content.migration = found.migration;
        Object.assign(content.rows, found.rows);
      }
      return { ...content, names: present.map(({ name }) => name) };
    },

    async remember(at) {
      const { name, kind } = stateDb;
      await withSqliteFile(join(folder, name), kind, async (database) => {
        const db = new Kysely<StateSchema>({ dialect: sqliteDialect(database) });
        await noteBackup(db, at);
      });
    },
  };
}

/** A reading transaction around it: otherwise every write of a proxy meanwhile would make SQLite begin again. */
async function copy(database: Database, target: string): Promise<void> {
  database.exec('begin');
  namesIn(database);
  await database.backup(target, { progress: () => pagesAtOnce });
  database.exec('rollback');
}
