import * as z from 'zod';
import { readNote, writeNote } from './notes.ts';
import type { StateDb } from './schema.ts';

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
