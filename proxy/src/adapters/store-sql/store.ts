import { join, resolve } from 'node:path';
import { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { BucketLimits } from '#domain/crm/request-bucket.ts';
import type { Clock } from '#ports/clock.ts';
import type { CompanyRejections } from '#ports/company-rejections.ts';
import type { RequestBudget } from '#ports/crm-budget.ts';
import type { CustomerBindings } from '#ports/customer-bindings.ts';
import type { Decisions } from '#ports/decisions.ts';
import type { Inbox, SweepMark } from '#ports/inbox.ts';
import type { Leases } from '#ports/lease.ts';
import type { MissingAnchors } from '#ports/missing-anchors.ts';
import type { ProfileCache } from '#ports/profile-cache.ts';
import type { Purge } from '#ports/purge.ts';
import type { SyncLog } from '#ports/sync-log.ts';
import type { TicketMemory } from '#ports/ticket-memory.ts';
import type { WrittenFacts } from '#ports/written-facts.ts';
import type { CacheSchema } from './cache/cache-schema.ts';
import { createProfileCache } from './cache/profile-cache.ts';
import { createCompanyRejections } from './company-rejections.ts';
import { createCustomerBindings } from './customer-bindings.ts';
import type { Engine, EngineName } from './engine/engine.ts';
import { openMigrated } from './engine/migrate.ts';
import { placeOf, postgresPool } from './engine/postgres.ts';
import { cacheFile, lookIntoSqlite, openSqlite, type SqliteFile, stateFile } from './engine/sqlite.ts';
import { StoreError } from './engine/store-error.ts';
import type { LeaseSchema } from './leases/lease-schema.ts';
import { createLeases } from './leases/leases.ts';
import { createMissingAnchors } from './leases/missing-anchors.ts';
import { createSharedBudget } from './leases/request-budget.ts';
import { cacheMigrations } from './migrations/cache.ts';
import { leaseMigrations } from './migrations/leases.ts';
import { pipelineMigrations } from './migrations/pipeline.ts';
import { syncLogMigrations } from './migrations/sync-log.ts';
import { createDecisions } from './pipeline/decisions.ts';
import { createInbox, createSweepMark } from './pipeline/inbox.ts';
import type { PipelineSchema } from './pipeline/pipeline-schema.ts';
import { createTicketMemory } from './pipeline/ticket-memory.ts';
import { createPurge } from './purge/purge.ts';
import { createSyncLog } from './sync-log.ts';
import { createWrittenFacts } from './written-facts.ts';

export { StoreError } from './engine/store-error.ts';

export interface Store {
  profileCache: ProfileCache;
  leases: Leases;
  missingAnchors: MissingAnchors;
  syncLog: SyncLog;
  companyRejections: CompanyRejections;
  customerBindings: CustomerBindings;
  writtenFacts: WrittenFacts;
  inbox: Inbox;
  sweepMark: SweepMark;
  decisions: Decisions;
  ticketMemory: TicketMemory;
  purge: Purge;
  /** The bucket of requests shared by all processes on this store. */
  requestBudget(limits: BucketLimits): RequestBudget;
  close(): Promise<void>;
}

/** A set of tables: where it is stored and how it is migrated. */
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
 * Opens the store and migrates its tables to the latest version.
 *
 * @param databaseUrl `file:./data` (a folder, relative to the working directory) or `postgres://…`
 * @param onWait called once if another process is just migrating, which on PostgreSQL is waited for
 * @throws StoreError with one sentence that says what is wrong; it never contains a password
 */
export async function openStore(
  databaseUrl: string,
  clock: Clock = Date.now,
  onWait: (place: string) => void = () => {},
): Promise<Store> {
  const opened: Kysely<unknown>[] = [];
  const closeAll = () => Promise.all(opened.map((db) => db.destroy()));
  const place = placeFor(databaseUrl, onWait);
  async function open<Schema>({ name, file, migrations }: TableSet): Promise<Kysely<Schema>> {
    const { engine, at } = await place.open(file);
    const db = await openMigrated<Schema>(engine, name, migrations(engine.name), at);
    opened.push(db as Kysely<unknown>);
    return db;
  }
  try {
    const cacheDb = await open<CacheSchema>(cacheSet);
    const leaseDb = await open<LeaseSchema>(leaseSet);
    const syncDb = await open<PipelineSchema>(syncSet);
    // On SQLite a connection of its own to the same file, on which the sync log's table is visible, too.
    const pipelineDb = await open<PipelineSchema>(pipelineSet);
    return {
      profileCache: createProfileCache(cacheDb),
      leases: createLeases(leaseDb, clock),
      missingAnchors: createMissingAnchors(leaseDb),
      syncLog: createSyncLog(syncDb),
      companyRejections: createCompanyRejections(syncDb),
      customerBindings: createCustomerBindings(syncDb),
      writtenFacts: createWrittenFacts(syncDb),
      inbox: createInbox(pipelineDb, place.name),
      sweepMark: createSweepMark(pipelineDb),
      decisions: createDecisions(pipelineDb),
      ticketMemory: createTicketMemory(pipelineDb),
      purge: createPurge({ engine: place.name, state: pipelineDb, cache: cacheDb }),
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

/** What the store says about routed tickets and about the helpdesk's page, for reading only. */
export interface Records {
  sweepMark: Pick<SweepMark, 'read'>;
  decisions: Pick<Decisions, 'list'>;
  missingAnchors: Pick<MissingAnchors, 'list'>;
  close(): Promise<void>;
}

/**
 * Opens a store that exists, without changing anything in it. Null if there is none yet.
 *
 * @throws StoreError like `openStore`
 */
export async function openRecords(databaseUrl: string): Promise<Records | null> {
  const place = placeFor(databaseUrl);
  const engine = await place.look(pipelineSet.file);
  if (engine === null) return null;
  const db = new Kysely<PipelineSchema>({ dialect: engine.dialect });
  return {
    sweepMark: createSweepMark(db),
    decisions: createDecisions(db),
    // In the same database.
    missingAnchors: createMissingAnchors(db as unknown as Kysely<LeaseSchema>),
    close: () => db.destroy(),
  };
}

/** Where all sets of tables are stored; `at` is what messages call it. */
interface Place {
  name: EngineName;
  open(file: TableSet['file']): Promise<{ engine: Engine; at: string }>;
  /** For reading only; null if there is nothing. */
  look(file: TableSet['file']): Promise<Pick<Engine, 'dialect'> | null>;
}

function placeFor(databaseUrl: string, onWait: (place: string) => void = () => {}): Place {
  if (/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl)) {
    let isWaiting = false;
    const pool = postgresPool(databaseUrl, () => {
      if (!isWaiting) onWait(placeOf(databaseUrl));
      isWaiting = true;
    });
    const open = async () => ({ engine: await pool.open(), at: placeOf(databaseUrl) });
    return { name: 'postgres', open, look: () => pool.open() };
  }
  const folder = folderOf(databaseUrl);
  return {
    name: 'sqlite',
    async open({ name, kind }) {
      const at = join(folder, name);
      return { engine: openSqlite(at, kind), at };
    },
    look: async ({ name, kind }) => lookIntoSqlite(join(folder, name), kind),
  };
}

function folderOf(databaseUrl: string): string {
  const [, folder] = /^file:(?:\/\/(?=\/))?([^\0]+)$/.exec(databaseUrl) ?? [];
  if (folder === undefined || folder.startsWith('//')) {
    throw new StoreError('The database must be given as file:<folder>, such as file:./data, or as postgres://….');
  }
  return resolve(folder);
}
