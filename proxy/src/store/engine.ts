import { type Dialect, PostgresAdapter, type QueryExecutorProvider } from 'kysely';

/** The databases, for statements that differ by more than the dialect. */
export type EngineName = 'sqlite' | 'postgres';

/** Which of them a database is. */
export function engineOf(db: QueryExecutorProvider): EngineName {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** An opened database, before any migration. */
export interface Engine {
  name: EngineName;
  dialect: Dialect;
  /** Runs the work while no other process migrates, and undoes it if it fails. */
  withLock(work: () => Promise<void>): Promise<void>;
  /** Closes what was opened. For failures before Kysely owns the connection; harmless afterwards. */
  abandon(): Promise<void>;
}

/** The store cannot be used. The message is one sentence for the operator; it names a path or host, never a password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * The database is not there right now: it cannot be reached, ended the connection, is locked or has no room. What was being
 * written may or may not have been kept. `code`: the driver's own, such as ECONNREFUSED, 57P01 or SQLITE_FULL; never free text.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code: string;

  constructor(code: string) {
    super(isFull(code) ? "The store's disk is full" : `The database is not available (${code})`);
    this.code = code;
  }
}

/** What a full disk is called by SQLite, and by the system. */
export const isFull = (code: string): boolean => code === 'SQLITE_FULL' || code === 'ENOSPC';

/** The driver's own error code, such as SQLITE_CORRUPT, ECONNREFUSED or 28P01; never free text. */
export function driverCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w+$/.test(code) ? code : 'unknown';
}
