import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { areEqual, closeToWebsite, describeRow, isSameRow, type PermissionRow } from '#setup/permission-rows.ts';
import { type FoundNote, notedWith, rowOf } from '#setup/rows-note.ts';
import { type PlanItem, unseenItem } from './plan-item.ts';

/** The rows of permissions of Contact and our note of how they were. */
export interface ContactRows {
  inForce: readonly PermissionRow[];
  /** Whether they are the site's own, as an installation of Helpdesk makes them. */
  areOwn: boolean;
  standard: readonly PermissionRow[];
  note: FoundNote | null;
}

const doctype = 'Contact';
const noteItem = { what: 'Note of the role permissions of Contact' } as const;

/**
 * Keeps website users from creating, writing and deleting Contacts (docs/decisions.md 43): the helpdesk takes any Contact
 * with the sender's address for a ticket, and shows the ticket to whoever the Contact is named like. How the rows were is
 * noted before the first of them is changed.
 */
export function planContactGuard(contact: ContactRows | 'unseen', deskRoles: ReadonlySet<string>): PlanItem[] {
  const what = 'Contact role permissions';
  if (contact === 'unseen') return [unseenItem(what)];
  const changes = closeToWebsite(contact.inForce, deskRoles);
  if (changes.length === 0)
    return [{ what, state: 'exists', detail: 'only the desk creates, writes and deletes', step: null }];
  const { name = null, note: known = null } = contact.note ?? {};
  const note = notedWith(known, changes, contact.areOwn);
  return [
    {
      ...noteItem,
      state: name === null ? 'create' : 'change',
      detail: 'a comment on the DocType, with the rows as they are now, for --remove',
      step: { kind: 'rows_note', doctype, name, note },
    },
    ...changes.map((change): PlanItem => {
      const { before, after } = change;
      return {
        what: `Contact for ${rowOf(change).role}`,
        state: before === null ? 'create' : after === null ? 'delete' : 'change',
        detail: `${describeRow(before)} becomes ${describeRow(after)}`,
        step: { kind: 'row', doctype, change, needsNote: true },
      };
    }),
  ];
}

/** Puts the rows back as they were. Those that somebody has changed since stay, and are said. */
export function planContactReturn(
  { inForce, note: found }: ContactRows,
  admin: HelpdeskAdmin,
  signal: AbortSignal,
): PlanItem[] {
  if (found === null) return [];
  if (found.note === null) {
    const detail =
      'cannot be read, since somebody has changed it: put the rows back by hand (Role Permissions Manager)';
    return [{ ...noteItem, state: 'conflict', detail, step: null }];
  }
  const { changes, had_own_rows: hadOwnRows } = found.note;
  const rows = changes.flatMap((noted): PlanItem[] => {
    const what = `Contact for ${rowOf(noted).role}`;
    const now = inForce.find((row) => isSameRow(row, rowOf(noted))) ?? null;
    if (areEqual(now, noted.before)) return [];
    if (!areEqual(now, noted.after)) {
      const detail = `is ${describeRow(now)}, which is not what Deskside has made of it: kept; it was ${describeRow(noted.before)}`;
      return [{ what, state: 'conflict', detail, step: null }];
    }
    const change = { before: now, after: noted.before };
    const detail = `back to ${describeRow(noted.before)}`;
    return [
      { what, state: noted.before === null ? 'delete' : 'change', detail, step: { kind: 'row', doctype, change } },
    ];
  });
  const take = async () => {
    const then = await admin.roleRows(doctype, signal);
    const isBack = ({ step }: PlanItem) =>
      step?.kind !== 'row' ||
      areEqual(then.inForce.find((row) => isSameRow(row, rowOf(step.change))) ?? null, step.change.after);
    if (!rows.every(isBack)) return 'It stays, since not all rows are back.';
    if (!hadOwnRows && haveSameRows(then.inForce, then.standard)) await admin.resetRoleRows(doctype, signal);
    await admin.erase('Comment', found.name, signal);
    return null;
  };
  return [...rows, { ...noteItem, state: 'delete', detail: '', step: { kind: 'own', take } }];
}

/** Whether both give the same rights to the same roles, in whatever order. */
export function haveSameRows(some: readonly PermissionRow[], others: readonly PermissionRow[]): boolean {
  return some.length === others.length && some.every((row) => others.some((other) => areEqual(row, other)));
}
