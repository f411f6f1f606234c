import * as z from 'zod';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { textOf } from '#helpdesk/admin.ts';
import { areEqual, isSameRow, RowChange } from '#helpdesk/permissions.ts';

/**
 * The rows of permissions as they were before `provision` changed them. The note stands in the helpdesk, beside what it is
 * about, so that whoever removes Deskside finds it, from whatever machine and with whatever store: as a comment on the
 * DocType, which only System Managers and Website Managers may read or write.
 */
const Note = z.object({
  /** Whether the DocType had rows of the site's own before, which its standard ones do not count beside. */
  had_own_rows: z.boolean(),
  changes: z.array(RowChange),
});

type RowsNote = z.output<typeof Note>;

interface FoundNote {
  /** Name of the comment. */
  name: string;
  /** Null if it cannot be read: somebody has changed it. */
  note: RowsNote | null;
}

const subject = 'Deskside: role permissions as they were';
const preface = 'Deskside has changed role permissions. "deskside provision --remove" puts them back as they were: ';

/** Null if there is none. */
export async function readRowsNote(
  admin: HelpdeskAdmin,
  doctype: string,
  signal: AbortSignal,
): Promise<FoundNote | null> {
  const filters = [
    ['reference_doctype', '=', 'DocType'],
    ['reference_name', '=', doctype],
    ['subject', '=', subject],
  ] as const;
  const [found] = await admin.list('Comment', { fields: ['name', 'content'], filters }, signal);
  return found === undefined ? null : { name: found.name, note: parse(textOf(found.content)) };
}

function parse(content: string): RowsNote | null {
  try {
    return Note.parse(JSON.parse(content.slice(content.indexOf('{'))));
  } catch {
    return null;
  }
}

/** Writes the note, over the one that is there. */
export async function writeRowsNote(
  admin: HelpdeskAdmin,
  doctype: string,
  { name, note }: { name: string | null; note: RowsNote },
  signal: AbortSignal,
): Promise<void> {
  // The helpdesk takes the content for HTML.
  const json = JSON.stringify(note).replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  const content = `${preface}${json}`;
  if (name !== null) return admin.update('Comment', name, { content }, signal);
  const about = { reference_doctype: 'DocType', reference_name: doctype };
  await admin.create('Comment', { comment_type: 'Info', ...about, subject, content }, signal);
}

/** The note with what a further run changes: how a row was before the first of our changes is what counts. */
export function notedWith(known: RowsNote | null, changes: readonly RowChange[], hasOwnRows: boolean): RowsNote {
  const kept = known?.changes ?? [];
  const sameRow = (change: RowChange) => kept.find((other) => isSameRow(rowOf(other), rowOf(change)));
  const added = changes.map((change) => {
    const earlier = sameRow(change);
    // Who has changed the row since has said how it is to be.
    return earlier && areEqual(earlier.after, change.before) ? { ...change, before: earlier.before } : change;
  });
  const others = kept.filter((change) => !changes.some((other) => isSameRow(rowOf(other), rowOf(change))));
  return { had_own_rows: known?.had_own_rows ?? hasOwnRows, changes: [...others, ...added] };
}

/** Which row it is about. */
export function rowOf({ before, after }: RowChange) {
  const row = before ?? after;
  if (row === null) throw new Error('A change is about a row.');
  return row;
}
