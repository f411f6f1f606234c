import { join } from 'node:path';
import { type CompiledQuery, Kysely } from 'kysely';
import type { Clock } from '#runtime/memory.ts';
import { openStore, type Store } from '#store/database.ts';
import type { StateDb } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';
import { inFile } from './state-file.ts';

/** A store on SQLite of which is known what was sent to it. */
export interface RecordedStore {
  /** Opens it, as another connection each time. */
  open(clock?: Clock): Promise<Store>;
  /** The text of each statement that was sent so far. */
  statements(): string[];
  /** The names of all indexes that we made. */
  indexes(): string[];
  /** How SQLite runs each of the statements that were sent so far, step by step; each plan once. */
  plans(): string[];
}

/** Makes a store in an empty folder. */
export async function recordedStore(folder: string): Promise<RecordedStore> {
  await (await openStore(`file:${folder}`)).close();
  const file = join(folder, 'state.db');
  const sent = new Map<string, CompiledQuery>();
  return {
    async open(clock = Date.now) {
      const log = ({ query }: { query: CompiledQuery }) => void sent.set(query.sql, query);
      const db: StateDb = new Kysely({ dialect: openSqlite(file).dialect, log });
      return { db, clock, close: () => db.destroy() };
    },
    statements: () => [...sent.keys()],
    indexes() {
      const named = "select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by 1";
      return inFile(file, (database) => database.prepare<[], string>(named).pluck().all());
    },
    plans() {
      const planned = [...sent.values()].filter(({ sql }) => !/^(begin|commit|rollback|pragma)/.test(sql));
      const plans = inFile(file, (database) =>
        planned.map(({ sql, parameters }) => {
          const steps = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters);
          return steps.map(({ detail }) => detail).join('; ');
        }),
      );
      return [...new Set(plans)].sort();
    },
  };
}
