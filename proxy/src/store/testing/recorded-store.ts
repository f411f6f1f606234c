import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type CompiledQuery, Kysely, type LogEvent } from 'kysely';
import type { Clock } from '#runtime/memory.ts';
import { cacheDb, openStore, type Store, type StoreFile, stateDb } from '#store/database.ts';
import { ProfileCache } from '#store/profile-cache.ts';
import type { CacheSchema, StateSchema } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';

/** A store on SQLite of which is known what was sent to it. */
export interface RecordedStore {
  /** Opens it, as another connection each time. */
  open(clock?: Clock): Promise<Store>;
  /** The text of each statement that was sent so far. */
  statements(): string[];
  /** How SQLite runs each of the statements that were sent so far, step by step; each plan once. */
  plans(): string[];
}

/** Makes a store in an empty folder. */
export async function recordedStore(folder: string): Promise<RecordedStore> {
  await (await openStore(`file:${folder}`)).close();
  const sent = new Map<StoreFile, Map<string, CompiledQuery>>([cacheDb, stateDb].map((file) => [file, new Map()]));

  function connect<Schema>(file: StoreFile): Kysely<Schema> {
    const log = ({ query }: LogEvent) => void sent.get(file)?.set(query.sql, query);
    return new Kysely({ dialect: openSqlite(join(folder, file.name), file.kind).dialect, log });
  }

  return {
    async open(clock = Date.now) {
      const cache = connect<CacheSchema>(cacheDb);
      const state = connect<StateSchema>(stateDb);
      return {
        db: state,
        clock,
        profileCache: new ProfileCache(cache),
        close: async () => void (await Promise.all([cache.destroy(), state.destroy()])),
      };
    },
    statements: () => [...sent.values()].flatMap((queries) => [...queries.keys()]),
    plans() {
      const plans = [...sent].flatMap(([{ name }, queries]) => {
        const database = new Sqlite(join(folder, name), { readonly: true });
        const planOf = ({ sql, parameters }: CompiledQuery) =>
          database
            .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
            .all(...parameters)
            .map(({ detail }) => detail)
            .join('; ');
        const found = [...queries.values()]
          .filter(({ sql }) => !/^(begin|commit|rollback|pragma)/.test(sql))
          .map(planOf);
        database.close();
        return found;
      });
      return [...new Set(plans)].sort();
    },
  };
}
