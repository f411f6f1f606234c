import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { BucketLimits } from '#domain/crm/request-bucket.ts';
import type { RequestBudget } from '#ports/crm/crm-budget.ts';
import type { CompanyRejections } from '#ports/customer/company-rejections.ts';
import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { SyncLog } from '#ports/customer/sync-log.ts';
import type { WrittenFacts } from '#ports/customer/written-facts.ts';
import type { Inbox, SweepMark } from '#ports/intake/inbox.ts';
import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { OperatorSessions } from '#ports/operator/operator-sessions.ts';
import type { SettingsStore } from '#ports/operator/settings.ts';
import type { Upkeep } from '#ports/operator/upkeep.ts';
import type { ProfileCache } from '#ports/profile/profile-cache.ts';
import type { RecordVersions } from '#ports/profile/record-versions.ts';
import type { Purge } from '#ports/retention/purge.ts';
import type { TicketMemory } from '#ports/retention/ticket-memory.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { PipelineWatch } from '#ports/routing/pipeline-watch.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Leases } from '#ports/runtime/lease.ts';
import type { CacheSchema } from './cache/cache-schema.ts';
import { createProfileCache } from './cache/profile-cache.ts';
import { createCompanyRejections } from './company-rejections.ts';
import { createCustomerBindings } from './customer-bindings.ts';
import { folderOf, isPostgres } from './engine/database-url.ts';
import type { Engine, EngineName, FileCare } from './engine/engine.ts';
import { openMigrated } from './engine/migrate.ts';
import { placeOf, postgresPool } from './engine/postgres.ts';
import { lookIntoSqlite, openSqlite } from './engine/sqlite.ts';
import { driverCode, StoreError } from './engine/store-error.ts';
import { refuseUnknownSets } from './engine/unknown-sets.ts';
import type { LeaseSchema } from './leases/lease-schema.ts';
import { createLeases } from './leases/leases.ts';
import { createMissingAnchors } from './leases/missing-anchors.ts';
import { createSharedBudget } from './leases/request-budget.ts';
import { createUpkeep } from './leases/upkeep.ts';
import type { OperatorSchema } from './operator/operator-schema.ts';
import { createOperatorSessions } from './operator/operator-sessions.ts';
import { createDecisions } from './pipeline/decisions.ts';
import { createInbox, createSweepMark } from './pipeline/inbox.ts';
import type { PipelineSchema } from './pipeline/pipeline-schema.ts';
import { createPipelineWatch } from './pipeline/pipeline-watch.ts';
import { createTicketMemory } from './pipeline/ticket-memory.ts';
import { createPurge } from './purge/purge.ts';
import { createRecordVersions } from './record-versions.ts';
import type { SettingsSchema } from './settings/settings-schema.ts';
import { createSettingsStore } from './settings/settings-store.ts';
import { createSyncLog } from './sync-log.ts';
import {
  cacheSet,
  leaseSet,
  operatorSet,
  pipelineSet,
  settingsSet,
  storeFiles,
  syncSet,
  type TableSet,
  tableSets,
} from './table-sets.ts';
import { createWrittenFacts } from './written-facts.ts';

export { StoreError };

export interface Store {
  profileCache: ProfileCache;
  leases: Leases;
  missingAnchors: MissingAnchors;
  upkeep: Upkeep;
  syncLog: SyncLog;
  companyRejections: CompanyRejections;
  customerBindings: CustomerBindings;
  writtenFacts: WrittenFacts;
  recordVersions: RecordVersions;
  inbox: Inbox;
  sweepMark: SweepMark;
  decisions: Decisions;
  pipelineWatch: PipelineWatch;
  ticketMemory: TicketMemory;
  purge: Purge;
  operatorSessions: OperatorSessions;
  settings: SettingsStore;
  /** The bucket of requests shared by all processes on this store. */
  requestBudget(limits: BucketLimits): RequestBudget;
  /**
   * For the service, once it serves: looks for damage in what was not closed in an orderly way, beside everything else, and
   * gives a sentence for each file that has any (docs/decisions.md 38). Throws if one cannot be looked at.
   */
  checkFiles(): Promise<string[]>;
  close(): Promise<void>;
}

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
  const opened = new Map<string, Kysely<unknown>>();
  const files: FileCare[] = [];
  const stopped = new AbortController();
  const closeAll = () => {
    stopped.abort();
    for (const file of files) file.leave();
    return Promise.all([...opened.values()].map((db) => db.destroy()));
  };
  let watchRecords: Engine['watchRecords'] = null;
  const place = placeFor(databaseUrl, onWait);
  const known = tableSets.map(({ name }) => name);
  try {
    for (const file of storeFiles) {
      const { engine, at } = await place.open(file);
      const sets = tableSets.filter((set) => set.file.name === file.name);
      const migrations = sets.map(({ name, migrations }) => [name, migrations(engine.name)]);
      const db = await openMigrated(engine, Object.fromEntries(migrations), at);
      opened.set(file.name, db);
      if (engine.file) files.push(engine.file);
      if (file === syncSet.file) watchRecords = engine.watchRecords;
      await refuseUnknownSets(db, engine.name, { known, place: at });
    }
    // One connection serves all sets of tables in a file; what each part knows of it is its own set.
    const tablesOf = <Schema>({ file }: TableSet) => opened.get(file.name) as unknown as Kysely<Schema>;
    const cacheDb = tablesOf<CacheSchema>(cacheSet);
    const leaseDb = tablesOf<LeaseSchema>(leaseSet);
    const syncDb = tablesOf<PipelineSchema>(syncSet);
    const pipelineDb = tablesOf<PipelineSchema>(pipelineSet);
    const operatorDb = tablesOf<OperatorSchema>(operatorSet);
    const settingsDb = tablesOf<SettingsSchema>(settingsSet);
    return {
      profileCache: createProfileCache(cacheDb),
      leases: createLeases(leaseDb, clock),
      missingAnchors: createMissingAnchors(leaseDb),
      upkeep: createUpkeep(leaseDb),
      syncLog: createSyncLog(syncDb),
      companyRejections: createCompanyRejections(syncDb),
      customerBindings: createCustomerBindings(syncDb),
      writtenFacts: createWrittenFacts(syncDb),
      recordVersions: watchRecords?.() ?? createRecordVersions(syncDb),
      inbox: createInbox(pipelineDb, place.name),
      sweepMark: createSweepMark(pipelineDb),
      decisions: createDecisions(pipelineDb),
      pipelineWatch: createPipelineWatch(pipelineDb),
      ticketMemory: createTicketMemory(pipelineDb),
      purge: createPurge({ engine: place.name, state: pipelineDb, cache: cacheDb }),
      operatorSessions: createOperatorSessions(operatorDb),
      settings: createSettingsStore(settingsDb),
      requestBudget: (limits) => createSharedBudget(leaseDb, limits, clock),
      async checkFiles() {
        const found: (string | null)[] = [];
        for (const file of files) found.push(await file.check(stopped.signal));
        return found.filter((problem) => problem !== null);
      },
      async close() {
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What the store says about routed tickets, the helpdesk's page and its own upkeep, for reading only. */
export interface Records {
  sweepMark: Pick<SweepMark, 'read'>;
  decisions: Pick<Decisions, 'list' | 'latest' | 'latestOfAll' | 'lastBefore' | 'count'>;
  missingAnchors: Pick<MissingAnchors, 'list'>;
  upkeep: Pick<Upkeep, 'lastBackup'>;
  close(): Promise<void>;
}

/**
 * Opens a store that exists, without changing anything in it. Null if there is none yet. It need not be up to date: what is
 * read of it has been there from the beginning.
 *
 * @throws StoreError like `openStore`
 */
export async function openRecords(databaseUrl: string): Promise<Records | null> {
  const place = placeFor(databaseUrl);
  const engine = await place.look(pipelineSet.file);
  if (engine === null) return null;
  const db = new Kysely<PipelineSchema>({ dialect: engine.dialect });
  const isThere = await hasTable(db, 'routing_decision').catch(async (error: unknown) => {
    await db.destroy();
    throw new StoreError(`Our own records cannot be read (${driverCode(error)}).`);
  });
  if (!isThere) {
    await db.destroy();
    return null;
  }
  // In the same database.
  const leaseDb = db as unknown as Kysely<LeaseSchema>;
  return {
    sweepMark: createSweepMark(db),
    decisions: createDecisions(db),
    missingAnchors: createMissingAnchors(leaseDb),
    upkeep: createUpkeep(leaseDb),
    close: () => db.destroy(),
  };
}

/**
 * The settings of a store, without changing anything in it; none where there is no store yet, or one from before there
 * were settings.
 *
 * @throws StoreError like `openStore`
 */
export async function readStoredSettings(databaseUrl: string): Promise<Awaited<ReturnType<SettingsStore['read']>>> {
  const place = placeFor(databaseUrl);
  const engine = await place.look(settingsSet.file);
  if (engine === null) return { version: 0, settings: [] };
  const db = new Kysely<SettingsSchema>({ dialect: engine.dialect });
  try {
    return (await hasTable(db, 'settings_version'))
      ? await createSettingsStore(db).read()
      : { version: 0, settings: [] };
  } finally {
    await db.destroy();
  }
}

async function hasTable<Schema>(db: Kysely<Schema>, table: keyof Schema): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.some(({ name }) => name === table);
}

/** Where all sets of tables are stored; `at` is what messages call it. */
interface Place {
  name: EngineName;
  open(file: TableSet['file']): Promise<{ engine: Engine; at: string }>;
  /** For reading only; null if there is nothing. */
  look(file: TableSet['file']): Promise<Pick<Engine, 'dialect'> | null>;
}

function placeFor(databaseUrl: string, onWait: (place: string) => void = () => {}): Place {
  if (isPostgres(databaseUrl)) {
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
