import * as z from 'zod';
import { type HelpdeskAdmin, textOf } from '#helpdesk/admin.ts';
import { PermissionRow } from '#helpdesk/frappe.ts';
import {
  areEqual,
  describeRow,
  flagsOf,
  haveSameRows,
  isSameRow,
  RowChange,
  type takenRights,
} from '#helpdesk/permissions.ts';
import { jsonOf } from '#runtime/json.ts';
import type { Item } from '#setup/items.ts';
import type { ProvisionRun } from './need.ts';

// What `provision` has changed at a DocType, as a note that stands there, and how `--remove` gives it back.

/** The DocTypes at which fields and rights are changed. */
export const changedDoctypes = ['HD Ticket', 'HD Customer', 'Contact'] as const satisfies (keyof typeof takenRights)[];

/**
 * What a DocType was like before `provision` changed it. The note stands in the helpdesk, beside what it is about, so that
 * whoever removes Deskside finds it, from whatever machine and with whatever store: as a comment on the DocType, which only
 * System Managers and Website Managers may read or write.
 */
const Note = z.object({
  /** Whether the DocType had rows of the site's own before, which its standard ones do not count beside. */
  had_own_rows: z.boolean(),
  rows: z.array(RowChange),
  /** Custom fields that were made, and those that were moved to permission level 1. */
  fields: z.array(z.string()),
  levels: z.array(z.string()),
  /** The rows that the release brought when the note was first made; a note of an earlier version has none. */
  standard: z.array(PermissionRow).optional(),
});

export type Note = z.output<typeof Note>;

const subject = 'Deskside: what was changed';
const preface = 'Deskside has changed this DocType. "deskside provision --remove" puts it back as it was: ';

/** `name`: of the comment; `note`: null if somebody has changed it. Null if there is none. */
export async function readNote(admin: HelpdeskAdmin, doctype: string) {
  const filters = [
    ['reference_doctype', '=', 'DocType'],
    ['reference_name', '=', doctype],
    ['subject', '=', subject],
  ] as const;
  const [found] = await admin.list('Comment', { fields: ['name', 'content'], filters });
  if (found === undefined) return null;
  const content = textOf(found.content);
  const json = content.includes('{') ? jsonOf(content.slice(content.indexOf('{'))) : undefined;
  return { name: found.name, note: Note.safeParse(json).data ?? null };
}

/** Over the note that is there, if it has a name. */
export async function writeNote(
  admin: HelpdeskAdmin,
  doctype: string,
  { name, note }: { name: string | null; note: Note },
): Promise<void> {
  // The helpdesk takes the content for HTML.
  const json = JSON.stringify(note).replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  const content = `${preface}${json}`;
  if (name !== null) return admin.update('Comment', name, { content });
  const about = { reference_doctype: 'DocType', reference_name: doctype };
  await admin.create('Comment', { comment_type: 'Info', ...about, subject, content });
}

/** Earlier changes with later ones: how a row was before the first of them is what counts. */
export function withFirst(kept: readonly RowChange[], changes: readonly RowChange[]): RowChange[] {
  const added = changes.map((change) => {
    const earlier = kept.find((other) => isSameRow(rowOf(other), rowOf(change)));
    // Who has changed the row since has said how it is to be.
    return earlier && areEqual(earlier.after, change.before) ? { ...change, before: earlier.before } : change;
  });
  const others = kept.filter((change) => !changes.some((other) => isSameRow(rowOf(other), rowOf(change))));
  return [...others, ...added];
}

/** Which row it is about. */
function rowOf({ before, after }: RowChange) {
  const row = before ?? after;
  if (row === null) throw new Error('A change is about a row.');
  return row;
}

/** A row of permissions as the plan names it. */
export function nameOf(doctype: string, change: RowChange): string {
  const { role, permlevel } = rowOf(change);
  return `${doctype}${permlevel > 0 ? ' level 1' : ''} for ${role}`;
}

/** Brings a row of permissions from one state to another. */
export async function changeRow(admin: HelpdeskAdmin, doctype: string, change: RowChange): Promise<void> {
  const { role, permlevel, if_owner } = rowOf(change);
  if (change.after === null) return admin.removeRoleRow({ doctype, role, permlevel, if_owner });
  await admin.copyRoleRows(doctype);
  const key = { parent: doctype, role, permlevel, if_owner: Number(if_owner) };
  const filters = Object.entries(key).map(([field, value]) => [field, '=', value] as const);
  const [found] = await admin.list('Custom DocPerm', { fields: ['name'], filters });
  const flags = flagsOf(change.after);
  if (found !== undefined) return admin.update('Custom DocPerm', found.name, flags);
  const document = { ...key, parenttype: 'DocType', parentfield: 'permissions', ...flags };
  await admin.create('Custom DocPerm', document);
}

/** Gives back what the notes say. What others have made or changed since stays, and is said. */
export async function giveBack({ admin }: ProvisionRun, withFields: boolean): Promise<Item[]> {
  const items: Item[] = [];
  for (const doctype of changedDoctypes) {
    const found = await readNote(admin, doctype);
    if (found?.note)
      items.push(...(await givingBack(admin, doctype, { name: found.name, note: found.note }, withFields)));
    else if (found)
      items.push({ what: `Note of what was changed at ${doctype}`, state: 'conflict', detail: unreadable });
  }
  return items;
}

const unreadable =
  'cannot be read, since somebody has changed it: put the rows back by hand (Role Permissions Manager)';

async function givingBack(
  admin: HelpdeskAdmin,
  doctype: string,
  { name, note }: { name: string; note: Note },
  withFields: boolean,
): Promise<Item[]> {
  const { fields } = (await admin.doctype(doctype)) ?? { fields: new Map<string, never>() };
  const { inForce } = await admin.roleRows(doctype);
  const there = (names: readonly string[]) =>
    names.flatMap((field) => {
      const { customField = null, permlevel = 0 } = fields.get(field) ?? {};
      return customField === null ? [] : [{ what: `${doctype}.${field}`, customField, permlevel }];
    });
  const made = there(note.fields);
  const opened = [...there(note.levels), ...(withFields ? [] : made)].filter(({ permlevel }) => permlevel === 1);
  const items: Item[] = [
    ...opened.map(({ what, customField }): Item => {
      const make = () => admin.update('Custom Field', customField, { permlevel: 0 });
      return { what, state: 'change', detail: 'to permission level 0', make };
    }),
    ...note.rows.flatMap((noted): Item[] => {
      const what = nameOf(doctype, noted);
      const before = inForce.find((row) => isSameRow(row, rowOf(noted))) ?? null;
      if (areEqual(before, noted.before)) return [];
      if (!areEqual(before, noted.after)) {
        const is = `is ${describeRow(before)}, which is not what Deskside has made of it: kept`;
        return [{ what, state: 'conflict', detail: `${is}; it was ${describeRow(noted.before)}` }];
      }
      const make = () => changeRow(admin, doctype, { before, after: noted.before });
      const state = noted.before === null ? 'delete' : 'change';
      return [{ what, state, detail: `back to ${describeRow(noted.before)}`, make }];
    }),
    ...(withFields ? made : []).map(({ what, customField }): Item => {
      return { what, state: 'delete', make: () => admin.erase('Custom Field', customField) };
    }),
  ];
  const left = withFields ? [] : note.fields;
  const stay = `${doctype}: ${made.length} custom fields and their values stay; --fields deletes them too.`;
  const trim = `The columns of deleted fields stay in the table of ${doctype}, with their values, until "bench trim-tables" runs.`;
  const warning = made.length === 0 ? undefined : withFields ? trim : stay;
  const what = `Note of what was changed at ${doctype}`;
  // The note of the fields alone stays as it is.
  if (left.length > 0 && note.rows.length + note.levels.length === 0)
    return [...items, { what, state: 'exists', detail: 'of its fields', warning }];
  const forgetting: Item = {
    what,
    state: left.length > 0 ? 'change' : 'delete',
    async make() {
      const now = await admin.roleRows(doctype);
      const isBack = note.rows.length > 0 && !note.had_own_rows && haveSameRows(now.inForce, now.standard);
      if (isBack) await admin.resetRoleRows(doctype);
      if (left.length === 0) return admin.erase('Comment', name);
      const rest = { ...note, had_own_rows: now.areOwn && !isBack, rows: [], levels: [], fields: left };
      await writeNote(admin, doctype, { name, note: rest });
    },
    needs: { items, why: 'it stays, since not all is back' },
    warning,
  };
  return [...items, forgetting];
}
