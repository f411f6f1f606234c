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
  /** Where the database is a file of ours; a server looks after its own. */
  file?: FileCare;
  /** Closes what was opened. For failures before Kysely owns the connection; harmless afterwards. */
  abandon(): Promise<void>;
}

/** What a service does for a file that it has open (docs/decisions.md 24). */
export interface FileCare {
  /**
   * Looks for damage unless the last service closed the file in an orderly way. Gives a sentence for the operator if there
   * is any, after which the file is not opened again. Throws if it cannot be looked at.
   *
   * @param stopped ends it; the next service looks then
   */
  check(stopped: AbortSignal): Promise<string | null>;
  /** To be called just before it is closed; harmless otherwise. */
  leave(): void;
}
