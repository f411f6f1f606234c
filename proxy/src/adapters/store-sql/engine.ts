import type { Dialect } from 'kysely';

/** What differs between the databases beyond their dialect, as far as the statements have to know. */
export type EngineName = 'sqlite' | 'postgres';

/** An opened database, before any migration. */
export interface Engine {
  name: EngineName;
  dialect: Dialect;
  /** Runs the work so that no other process migrates at the same time, and undoes it if it fails. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Closes what was opened. For failures before Kysely owns the connection; harmless afterwards. */
  abandon(): Promise<void>;
}
