import type { ProofNote } from './proof.ts';

/** A restore of the store from a backup. Times are epoch milliseconds. */
export interface Restore {
  at: number;
  /** When what was restored had been backed up. */
  backedUpAt: number;
  /** Whether the teams' turns are those of today again, and no longer those of the backup. */
  turnsKnown: boolean;
}

/** Whether the helpdesk lets anybody sign up, as an administrator's key saw it last. */
interface SignUp {
  isOpen: boolean;
  at: number;
}

/** What a backfill has come to. */
export interface BackfillCounts {
  updated: number;
  unchanged: number;
  /** The CRM has no company for the org id. */
  notFound: number;
  withoutOrgId: number;
  /** Those that the CRM was asked about lately enough. */
  fresh: number;
  /** By reason. */
  failed: Record<string, number>;
}

/** The last backfill, or the one that is under way. */
export interface BackfillNote {
  begunAt: number;
  staleAfterMs: number | null;
  /** The customer up to which it has come, in the order of creation and name; null once it is done. */
  after: { creation: string; name: string } | null;
  counts: BackfillCounts;
}

/** The last look for the companies of customers made by hand, or the one that is under way. */
export interface MatchingNote {
  begunAt: number;
  /** The customer up to which it has come, in the order of creation and name; null once it is done. */
  after: { creation: string; name: string } | null;
  /** How many it has looked at, of how many. */
  done: number;
  total: number;
  /** Of those how many the CRM did not answer about. */
  failed: number;
}

/** What `provision` has made in the helpdesk of what is not known by its name. Fields as a plan names them. */
export interface Made {
  fields: string[];
  /** Fields that it has moved to permission level 1. */
  levels: string[];
  /** Rows of permissions at level 1. */
  rows: { doctype: string; role: string }[];
}

/** What the store remembers of the work on it as a whole. Times are epoch milliseconds. */
export interface StoreUpkeep {
  /** When it was last backed up; null if never. */
  lastBackup(): Promise<number | null>;
  noteBackup(at: number): Promise<void>;
  /** When a proxy on this store was started last; null if never. */
  lastStart(): Promise<number | null>;
  noteStart(at: number): Promise<void>;
  /** Null if it was never restored. */
  lastRestore(): Promise<Restore | null>;
  noteRestore(restore: Restore): Promise<void>;
}

/** What the store remembers of long runs. */
export interface RunNotes {
  /** Null if there was none. */
  lastBackfill(): Promise<BackfillNote | null>;
  noteBackfill(note: BackfillNote): Promise<void>;
  /** Null if nobody has looked yet. */
  lastSignUp(): Promise<SignUp | null>;
  noteSignUp(signUp: SignUp): Promise<void>;
  /** Null if there was none. */
  lastMatching(): Promise<MatchingNote | null>;
  noteMatching(note: MatchingNote): Promise<void>;
  /** Nothing, where no run has noted it. */
  made(): Promise<Made>;
  noteMade(made: Made): Promise<void>;
  /** Null if there was none. */
  proof(): Promise<ProofNote | null>;
  noteProof(note: ProofNote): Promise<void>;
}

export interface Upkeep extends StoreUpkeep, RunNotes {}
