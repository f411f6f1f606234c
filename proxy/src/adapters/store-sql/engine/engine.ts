import type { Dialect } from 'kysely';

/** The databases, for statements that differ by more than the dialect. */
export type EngineName = 'sqlite' | 'postgres';

/** An opened database, before any migration. */
export interface Engine {
  name: EngineName;
  dialect: Dialect;
  /** Runs the work while no other process migrates, and undoes it if it fails. */
  withLock(work: () => Promise<void>): Promise<void>;
  /** Closes what was opened. For failures before Kysely owns the connection; harmless afterwards. */
  abandon(): Promise<void>;
}
