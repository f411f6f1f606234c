import * as z from 'zod';
import type { StateDb } from './schema.ts';

// A row for each kind of work, and in it what is remembered of the last time.

/** The note of a task, and when it was made in epoch milliseconds; undefined if there is none. */
function readNote(db: StateDb, task: string): Promise<{ note: string; at: number } | undefined> {
  return db.selectFrom('upkeep').select(['note', 'at']).where('task', '=', task).executeTakeFirst();
}

/** Replaces the note of a task. */
async function writeNote(db: StateDb, task: string, at: number, note: string): Promise<void> {
  await db
    .insertInto('upkeep')
    .values({ task, note, at })
    .onConflict((conflict) =>
      conflict.column('task').doUpdateSet(({ ref }) => ({ note: ref('excluded.note'), at: ref('excluded.at') })),
    )
    .execute();
}

// What the store remembers of the work on it as a whole. Times are epoch milliseconds. Throws if the store fails, or holds
// something else than we wrote.

/** When it was last backed up; null if never. */
export async function lastBackup(db: StateDb): Promise<number | null> {
  return (await readNote(db, 'backup'))?.at ?? null;
}

export function noteBackup(db: StateDb, at: number): Promise<void> {
  return writeNote(db, 'backup', at, '{}');
}

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

// The last report about each anchor, a row for each, shared by all processes. Holds nothing about people.

/** What an extension did not find on the helpdesk's page. `at`: when it was told, in epoch milliseconds. */
export interface MissingAnchor {
  anchor: string;
  /** Version of the extension. */
  extension: string;
  /** Version of the helpdesk; null if it is not known. */
  helpdesk: string | null;
  at: number;
}

/** Remembers it, unless the anchor was reported less than `quietMs` before: false. Of several at once one is true. */
export async function noteMissingAnchor(db: StateDb, missing: MissingAnchor, quietMs: number): Promise<boolean> {
  const recorded = await db
    .insertInto('missing_anchor')
    .values(missing)
    .onConflict((conflict) =>
      conflict
        .column('anchor')
        .doUpdateSet(({ ref }) => ({
          extension: ref('excluded.extension'),
          helpdesk: ref('excluded.helpdesk'),
          at: ref('excluded.at'),
        }))
        .where('missing_anchor.at', '<=', missing.at - quietMs),
    )
    .returning('anchor')
    .executeTakeFirst();
  return recorded !== undefined;
}

/** All of them: there are no more than the extension looks for. */
export function missingAnchors(db: StateDb): Promise<MissingAnchor[]> {
  return db.selectFrom('missing_anchor').selectAll().execute();
}

// How far the sweep over the helpdesk's tickets has got. The helpdesk's own timestamps, opaque. `from`: tickets created
// earlier are not ours.

/** Null before the first sweep. */
export async function sweepMark(db: StateDb): Promise<{ from: string; until: string } | null> {
  const row = await db
    .selectFrom('sweep_mark')
    .select(['from_stamp', 'until_stamp'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row === undefined ? null : { from: row.from_stamp, until: row.until_stamp };
}

/** Sets the mark. An existing `from` is kept. */
export async function writeSweepMark(db: StateDb, { from, until }: { from: string; until: string }): Promise<void> {
  await db
    .insertInto('sweep_mark')
    .values({ id: 1, from_stamp: from, until_stamp: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ until_stamp: until }))
    .execute();
}
