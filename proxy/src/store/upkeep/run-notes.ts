import * as z from 'zod';
import type { StateDb } from '#store/schema.ts';
import { readNote, writeNote } from './notes.ts';

// What long runs have come to, a row for each kind. Throws if the store fails, or holds something else than we wrote.

/** Whether the helpdesk lets anybody sign up, as an administrator's key saw it last. */
interface SignUp {
  isOpen: boolean;
  at: number;
}

const SignUpNote = z.object({ is_open: z.boolean() });

/** Null if nobody has looked yet. */
export async function lastSignUp(db: StateDb): Promise<SignUp | null> {
  const row = await readNote(db, 'sign_up');
  return row === undefined ? null : { isOpen: SignUpNote.parse(JSON.parse(row.note)).is_open, at: row.at };
}

export function noteSignUp(db: StateDb, { isOpen, at }: SignUp): Promise<void> {
  return writeNote(db, 'sign_up', at, JSON.stringify({ is_open: isOpen } satisfies z.input<typeof SignUpNote>));
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

/** The customer up to which a run has come, in the order of creation and name. */
const Place = z.object({ creation: z.string(), name: z.string() });

/** The last backfill, or the one that is under way. */
export interface BackfillNote {
  begunAt: number;
  staleAfterMs: number | null;
  /** Null once it is done. */
  after: z.output<typeof Place> | null;
  counts: BackfillCounts;
}

const Backfill = z.object({
  stale_after_ms: z.number().nullable(),
  after: Place.nullable(),
  counts: z.object({
    updated: z.number(),
    unchanged: z.number(),
    not_found: z.number(),
    without_org_id: z.number(),
    fresh: z.number(),
    failed: z.record(z.string(), z.number()),
  }),
});

/** Null if there was none. */
export async function lastBackfill(db: StateDb): Promise<BackfillNote | null> {
  const row = await readNote(db, 'backfill');
  if (row === undefined) return null;
  const { stale_after_ms, after, counts } = Backfill.parse(JSON.parse(row.note));
  const { not_found: notFound, without_org_id: withoutOrgId, ...others } = counts;
  return { begunAt: row.at, staleAfterMs: stale_after_ms, after, counts: { ...others, notFound, withoutOrgId } };
}

export function noteBackfill(
  db: StateDb,
  { begunAt, staleAfterMs, after, counts: { notFound, withoutOrgId, ...others } }: BackfillNote,
): Promise<void> {
  const note: z.input<typeof Backfill> = {
    stale_after_ms: staleAfterMs,
    after,
    counts: { ...others, not_found: notFound, without_org_id: withoutOrgId },
  };
  return writeNote(db, 'backfill', begunAt, JSON.stringify(note));
}

/** The last look for the companies of customers made by hand, or the one that is under way. */
export type MatchingNote = { begunAt: number } & z.output<typeof Matching>;

const Matching = z.object({
  /** Null once it is done. */
  after: Place.nullable(),
  /** How many it has looked at, of how many. */
  done: z.number(),
  total: z.number(),
  /** Of those how many the CRM did not answer about. */
  failed: z.number(),
});

/** Null if there was none. */
export async function lastMatching(db: StateDb): Promise<MatchingNote | null> {
  const row = await readNote(db, 'matching');
  return row === undefined ? null : { begunAt: row.at, ...Matching.parse(JSON.parse(row.note)) };
}

export function noteMatching(db: StateDb, { begunAt, ...note }: MatchingNote): Promise<void> {
  return writeNote(db, 'matching', begunAt, JSON.stringify(note));
}

/** What `provision` has made in the helpdesk of what is not known by its name. Fields as a plan names them. */
export type Made = z.output<typeof Made>;

const Made = z.object({
  fields: z.array(z.string()),
  /** Fields that it has moved to permission level 1. */
  levels: z.array(z.string()),
  /** Rows of permissions at level 1. */
  rows: z.array(z.object({ doctype: z.string(), role: z.string() })),
});

/** Nothing, where no run has noted it. */
export async function made(db: StateDb): Promise<Made> {
  const row = await readNote(db, 'made');
  return row === undefined ? { fields: [], levels: [], rows: [] } : Made.parse(JSON.parse(row.note));
}

export function noteMade(db: StateDb, what: Made): Promise<void> {
  return writeNote(db, 'made', 0, JSON.stringify(what));
}
