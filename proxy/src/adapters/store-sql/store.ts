import { join, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { BucketLimits } from '../../domain/request-bucket.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestBudget } from '../../ports/crm-budget.ts';
import type { Decisions } from '../../ports/decisions.ts';
import type { Inbox, SweepMark } from '../../ports/inbox.ts';
import type { Leases } from '../../ports/lease.ts';
import type { ProfileCache } from '../../ports/profile-cache.ts';
import type { SyncLog } from '../../ports/sync-log.ts';
import type { CacheSchema } from './cache-schema.ts';
import { createDecisions } from './decisions.ts';
import type { Engine, EngineName } from './engine.ts';
import { createInbox, createSweepMark } from './inbox.ts';
import type { LeaseSchema } from './lease-schema.ts';
import { createLeases } from './leases.ts';
import { openMigrated } from './migrate.ts';
import { cacheMigrations } from './migrations/cache.ts';
import { leaseMigrations } from './migrations/leases.ts';
import { pipelineMigrations } from './migrations/pipeline.ts';
import { syncLogMigrations } from './migrations/sync-log.ts';
import type { PipelineSchema } from './pipeline-schema.ts';
import { placeOf, postgresPool } from './postgres.ts';
import { createProfileCache } from './profile-cache.ts';
import { createSharedBudget } from './request-budget.ts';
import { cacheFile, openSqlite, type SqliteFile, stateFile } from './sqlite.ts';
import { StoreError } from './store-error.ts';
import { createSyncLog, type SyncLogSchema } from './sync-log.ts';

export { StoreError } from './store-error.ts';

export interface Store {
  profileCache: ProfileCache;
  leases: Leases;
  syncLog: SyncLog;
  inbox: Inbox;
  sweepMark: SweepMark;
  decisions: Decisions;
  /** The bucket of requests that all processes on this store share. */
  requestBudget(limits: BucketLimits): RequestBudget;
  close(): Promise<void>;
}

/** One set of tables: where it stands and how it comes to its present form. */
interface TableSet {
  name: string;
  /** On SQLite; PostgreSQL has everything in one database. */
  file: { name: string; kind: SqliteFile };
  migrations: (engine: EngineName) => Record<string, Migration>;
}

const cacheSet: TableSet = {
  name: 'cache',
  file: { name: 'cache.db', kind: cacheFile },
  migrations: cacheMigrations,
};
const leaseSet: TableSet = {
  name: 'lease',
  file: { name: 'state.db', kind: stateFile },
  migrations: leaseMigrations,
};

const syncSet: TableSet = {
  name: 'sync',
  file: { name: 'state.db', kind: stateFile },
  migrations: syncLogMigrations,
};

const pipelineSet: TableSet = {
  name: 'pipeline',
  file: { name: 'state.db', kind: stateFile },
  migrations: pipelineMigrations,
};

/**
 * Opens the store and brings its tables up to date.
 *
 * @param databaseUrl `file:./data` (a folder, relative to the working directory) or `postgres://…`
 * @throws StoreError with one sentence that says what is wrong; a password never stands in it
 */
export async function openStore(databaseUrl: string, clock: Clock = Date.now): Promise<Store> {
  const opened: Kysely<unknown>[] = [];
  const closeAll = () => Promise.all(opened.map((db) => db.destroy()));
  const place = placeFor(databaseUrl);
  async function open<Schema>({ name, file, migrations }: TableSet): Promise<Kysely<Schema>> {
    const { engine, at } = await place.open(file);
    const db = await openMigrated<Schema>(engine, name, migrations(engine.name), at);
    opened.push(db as Kysely<unknown>);
    return db;
  }
  try {
    const profileCache = createProfileCache(await open<CacheSchema>(cacheSet));
    const leaseDb = await open<LeaseSchema>(leaseSet);
    const syncDb = await open<SyncLogSchema>(syncSet);
    const pipelineDb = await open<PipelineSchema>(pipelineSet);
    return {
      profileCache,
      leases: createLeases(leaseDb, clock),
      syncLog: createSyncLog(syncDb),
      inbox: createInbox(pipelineDb, place.name),
      sweepMark: createSweepMark(pipelineDb),
      decisions: createDecisions(pipelineDb),
      requestBudget: (limits) => createSharedBudget(leaseDb, limits, clock),
      async close() {
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Where all sets of tables stand; `at` is how a message names it. */
interface Place {
  name: EngineName;
  open(file: TableSet['file']): Promise<{ engine: Engine; at: string }>;
}

function placeFor(databaseUrl: string): Place {
  if (/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl)) {
    const pool = postgresPool(databaseUrl);
    return { name: 'postgres', open: async () => ({ engine: await pool.open(), at: placeOf(databaseUrl) }) };
  }
  const folder = folderOf(databaseUrl);
  return {
    name: 'sqlite',
    async open({ name, kind }) {
      const at = join(folder, name);
      return { engine: openSqlite(at, kind), at };
    },
  };
}

function folderOf(databaseUrl: string): string {
  const [, folder] = /^file:(?:\/\/(?=\/))?([^\0]+)$/.exec(databaseUrl) ?? [];
  if (folder === undefined || folder.startsWith('//')) {
    throw new StoreError('The database must be given as file:<folder>, such as file:./data, or as postgres://….');
  }
  return resolve(folder);
}
