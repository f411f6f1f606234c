import * as z from 'zod';
import { type AdminDoctype, type HelpdeskAdmin, textOf } from '#helpdesk/admin.ts';
import type { FieldedDoctype } from '#helpdesk/fields.ts';
import { PermissionRow } from '#helpdesk/frappe.ts';
import {
  areEqual,
  closeToWebsite,
  describeRow,
  flagsOf,
  haveSameRows,
  hiddenRows,
  isSameRow,
  openLevel1ToDesk,
  RowChange,
} from '#helpdesk/permissions.ts';
import { jsonOf } from '#runtime/json.ts';
import type { Item } from '#setup/items.ts';
import { type ComparedField, compareFields, deskRolesOf, firstAfter, openIdentity } from './desired-state.ts';

// Custom fields and role permissions: what `provision` changes at a DocType, and what `--remove` gives back.

/** The helpdesk with an administrator's key, and the two DocTypes as it has them. */
export interface SiteDoctypes {
  admin: HelpdeskAdmin;
  site: { ticket: AdminDoctype; customer: AdminDoctype };
}

/** What is to be different at a DocType. */
interface DoctypeChange {
  doctype: FieldedDoctype | 'Contact';
  fields: ComparedField[];
  /** Fields that belong at permission level 1, which the rows open to the desk. */
  closed: ReadonlySet<string>;
  rows: RowChange[];
  /** As they are. */
  roleRows: RoleRows;
}

type RoleRows = Awaited<ReturnType<HelpdeskAdmin['roleRows']>>;

/**
 * Fields and permissions of HD Ticket, HD Customer and Contact. It keeps website users from changing which company an HD Customer
 * is (docs/decisions.md 19), from creating, writing and deleting Contacts, and from sharing tickets and customers (docs/decisions.md
 * 8). A role that already has level 1 keeps it, and `doctor` reports it.
 */
export async function doctypeItems(run: SiteDoctypes): Promise<{ items: Item[]; warnings: string[] }> {
  const { admin, site } = run;
  const [deskRoles, ofTicket, ofCustomer, ofContact] = await Promise.all([
    deskRolesOf(admin),
    admin.roleRows('HD Ticket'),
    admin.roleRows('HD Customer'),
    admin.roleRows('Contact'),
  ]);
  const open = openIdentity(site.customer, deskRoles).filter(({ level }) => level === 0);
  const levels = open.length === 0 ? [] : openLevel1ToDesk(ofCustomer.inForce, deskRoles);
  const shared = closeToWebsite('HD Customer', ofCustomer.inForce, deskRoles);
  const nothing = { fields: [], closed: new Set<string>() };
  const customer: DoctypeChange = {
    doctype: 'HD Customer',
    fields: compareFields('HD Customer', site.customer),
    closed: new Set(open.map(({ field }) => field)),
    rows: [...levels, ...shared],
    roleRows: ofCustomer,
  };
  const ticket: DoctypeChange = {
    ...nothing,
    doctype: 'HD Ticket',
    fields: compareFields('HD Ticket', site.ticket),
    rows: closeToWebsite('HD Ticket', ofTicket.inForce, deskRoles),
    roleRows: ofTicket,
  };
  const rows = closeToWebsite('Contact', ofContact.inForce, deskRoles);
  const contact: DoctypeChange = { ...nothing, doctype: 'Contact', rows, roleRows: ofContact };
  const items = [];
  for (const wanted of [ticket, customer, contact]) items.push(...(await itemsOf(run, wanted)));
  const warnings: string[] = [];
  if (levels.length > 0)
    warnings.push(
      `Portal customers with the role ${open[0]?.roles.join(', ')} may change which company an HD Customer is. Only the desk may do so from now on.${ownRows(customer)}`,
    );
  const sharing = [ticket, ...(shared.length > 0 ? [{ ...customer, rows: shared }] : [])].filter(
    (wanted) => wanted.rows.length > 0,
  );
  if (sharing.length > 0)
    warnings.push(
      `Website users may share ${sharing.map(({ doctype }) => doctype).join(' and ')}, and whom something is shared with reads it, whoever it belongs to later. Only the desk may share from now on. What is shared already stays so: "deskside doctor" lists it.${sharing.map(ownRows).join('')}`,
    );
  if (rows.length > 0)
    warnings.push(
      `Everybody with an account may create and write Contacts. The helpdesk shows a ticket to the account that has the same name as the ticket's Contact. Only the desk may do so from now on. Contacts that are there already stay: "deskside doctor" lists those of website users.${ownRows(contact)}`,
    );
  return { items, warnings };
}

/** The cost of the first row of a DocType's own. */
function ownRows({ doctype, roleRows }: DoctypeChange): string {
  return roleRows.areOwn
    ? ''
    : ` This gives ${doctype} role permissions of its own (Custom DocPerm): from then on, updates of Helpdesk no longer change the permissions of ${doctype} on this site.`;
}

/** The note first: what cannot be noted is not changed. Then the rows, without which the desk could not see a closed field. */
async function itemsOf(run: SiteDoctypes, { doctype, fields, closed, rows, roleRows }: DoctypeChange): Promise<Item[]> {
  const { admin } = run;
  const known = await readNote(admin, doctype);
  const { areOwn, standard } = roleRows;
  const before = known?.note ?? { had_own_rows: areOwn, rows: [], fields: [], levels: [] };
  const missing = fields.filter(({ found }) => found === undefined).map(({ desired }) => desired.fieldname);
  const moved = [...closed].filter((name) => !missing.includes(name));
  const note: Note = {
    had_own_rows: before.had_own_rows,
    rows: withFirst(before.rows, rows),
    fields: [...new Set([...before.fields, ...missing])],
    levels: [...new Set([...before.levels, ...moved])],
    standard: before.standard ?? standard,
  };
  const noting: Item = {
    what: `Note of what is changed at ${doctype}`,
    state: known === null ? 'create' : 'change',
    detail: 'a comment on the DocType, for --remove',
    make: () => writeNote(admin, doctype, { name: known?.name ?? null, note }),
  };
  const needs = { items: [noting], why: 'how it was could not be noted' };
  const rowItems = rows.map((change): Item => {
    const state = change.before === null ? 'create' : change.after === null ? 'delete' : 'change';
    const detail = `${describeRow(change.before)} becomes ${describeRow(change.after)}`;
    const make = () => changeRow(admin, doctype, change);
    return { what: nameOf(doctype, change), state, detail, make, needs };
  });
  if (rows.length === 0) {
    const detail = doctype === 'Contact' ? 'only the desk creates, writes and deletes' : 'only the desk shares';
    rowItems.push({ what: `${doctype} role permissions`, state: 'exists', detail });
  }
  const why = 'agents could not see the field while a row of permissions is missing';
  const open = { items: [noting, ...rowItems], why };
  const fieldItems = fields.map((field, index): Item => {
    const isClosed = closed.has(field.desired.fieldname);
    const after = fields[index - 1]?.desired.fieldname ?? firstAfter[doctype as FieldedDoctype];
    const item = fieldItem(run, doctype, field, isClosed, after);
    return item.make ? { ...item, needs: isClosed ? open : needs } : item;
  });
  const changes = [...rowItems, ...fieldItems];
  return changes.some(({ make }) => make) ? [noting, ...changes] : changes;
}

/** A field that is there keeps its type, and is not made read-only. */
function fieldItem(
  { admin }: SiteDoctypes,
  doctype: string,
  { desired, found, problem }: ComparedField,
  isClosed: boolean,
  insert_after: string,
): Item {
  const { fieldname, label, fieldtype, options, serviceOnly } = desired;
  const what = `${doctype}.${fieldname}`;
  if (problem !== null) return { what, state: 'conflict', detail: `${problem.text}; kept. ${problem.todo}` };
  if (found === undefined) {
    const type = { fieldname, label, fieldtype, ...(options !== undefined && { options }) };
    const levels = { read_only: serviceOnly ? 1 : 0, permlevel: isClosed ? 1 : 0 };
    const detail = [fieldtype, ...(serviceOnly ? ['read-only'] : []), ...(isClosed ? ['level 1'] : [])].join(', ');
    const make = async () =>
      void (await admin.create('Custom Field', { dt: doctype, ...type, insert_after, ...levels }));
    return { what, state: 'create', detail, make };
  }
  if (!isClosed)
    return {
      what,
      state: 'exists',
      detail: `${found.fieldtype}${found.permlevel > 0 ? `, level ${found.permlevel}` : ''}`,
    };
  const { customField } = found;
  if (customField === null)
    return { what, state: 'conflict', detail: 'a standard field of this site, which is not protected from here' };
  const make = () => admin.update('Custom Field', customField, { permlevel: 1 });
  return { what, state: 'change', detail: 'to permission level 1', make };
}

/** A row of permissions as the plan names it. */
function nameOf(doctype: string, change: RowChange): string {
  const { role, permlevel } = rowOf(change);
  return `${doctype}${permlevel > 0 ? ' level 1' : ''} for ${role}`;
}

/** Brings a row of permissions from one state to another. */
async function changeRow(admin: HelpdeskAdmin, doctype: string, change: RowChange): Promise<void> {
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
export async function doctypeRemovalItems(
  { admin }: SiteDoctypes,
  withFields: boolean,
): Promise<{ items: Item[]; warnings: string[] }> {
  const items: Item[] = [];
  let ours = 0;
  for (const doctype of ['HD Ticket', 'HD Customer', 'Contact'] as const) {
    const found = await readNote(admin, doctype);
    if (found === null) continue;
    const { name, note } = found;
    if (note === null)
      items.push({ what: `Note of what was changed at ${doctype}`, state: 'conflict', detail: unreadable });
    else {
      const back = await giveBack(admin, doctype, { name, note }, withFields);
      items.push(...back.items);
      ours += back.ours;
    }
  }
  if (ours === 0) return { items, warnings: [] };
  const stay = `${ours} custom fields and their values stay; --fields deletes them too.`;
  const trim = 'The columns of deleted fields stay in the tables, with their values, until "bench trim-tables" runs.';
  return { items, warnings: [withFields ? trim : stay] };
}

/** What a release has changed since `provision`, and the site's own rows hide (docs/helpdesk.md#permission-levels). */
export async function rowsHiddenByOwn(admin: HelpdeskAdmin): Promise<{ doctype: string; change: RowChange }[]> {
  const deskRoles = await deskRolesOf(admin);
  const ofDoctypes = await Promise.all(
    (['HD Ticket', 'HD Customer', 'Contact'] as const).map(async (doctype) => {
      const noted = (await readNote(admin, doctype))?.note?.standard;
      const { inForce, areOwn, standard } = await admin.roleRows(doctype);
      const hidden = noted && areOwn ? hiddenRows(doctype, { noted, standard, inForce }, deskRoles) : [];
      return hidden.map((change) => ({ doctype, change }));
    }),
  );
  return ofDoctypes.flat();
}

/** A change of a row in words. */
export function describeChange(doctype: string, change: RowChange): string {
  return `${nameOf(doctype, change)}: ${describeRow(change.before)} became ${describeRow(change.after)}`;
}

const unreadable =
  'cannot be read, since somebody has changed it: put the rows back by hand (Role Permissions Manager)';

/** `ours`: how many of the fields that were made are there. */
async function giveBack(
  admin: HelpdeskAdmin,
  doctype: string,
  { name, note }: { name: string; note: Note },
  withFields: boolean,
): Promise<{ items: Item[]; ours: number }> {
  const { fields } = (await admin.doctype(doctype)) ?? { fields: new Map<string, never>() };
  const { inForce } = await admin.roleRows(doctype);
  const there = (names: readonly string[]) =>
    names.flatMap((field) => {
      const { customField = null, permlevel = 0 } = fields.get(field) ?? {};
      return customField === null ? [] : [{ what: `${doctype}.${field}`, customField, permlevel }];
    });
  const made = there(note.fields);
  const opened = [...there(note.levels), ...(withFields ? [] : made)].filter(({ permlevel }) => permlevel === 1);
  const items = [
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
  // The note of the fields alone stays as it is.
  if (left.length > 0 && note.rows.length + note.levels.length === 0) return { items, ours: made.length };
  const forgetting: Item = {
    what: `Note of what was changed at ${doctype}`,
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
  };
  return { items: [...items, forgetting], ours: made.length };
}

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
  /** The rows that the release brought when the note was first made; absent in a note of an earlier version. */
  standard: z.array(PermissionRow).optional(),
});

type Note = z.output<typeof Note>;

const subject = 'Deskside: what was changed';
const preface = 'Deskside has changed this DocType. "deskside provision --remove" puts it back as it was: ';

/** `name`: of the comment; `note`: null if somebody has changed it. Null if there is none. */
async function readNote(admin: HelpdeskAdmin, doctype: string) {
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
async function writeNote(
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
function withFirst(kept: readonly RowChange[], changes: readonly RowChange[]): RowChange[] {
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
