import type { AdminDoctype, AdminField, HelpdeskAdmin } from '#helpdesk/admin.ts';
import {
  areEqual,
  closeToWebsite,
  describeRow,
  flagsOf,
  haveSameRows,
  isDeskRole,
  isSameRow,
  type PermissionRow,
  type RowChange,
} from '#helpdesk/permissions.ts';
import { compareFields, openIdentity } from './compare.ts';
import { type DesiredField, desiredFields, type FieldedDoctype, firstAfter, levelRoles } from './desired-state.ts';
import { conflict, exists, type Item, isToBeDone, unseen } from './items.ts';
import type { ProvisionRun } from './provision-settings.ts';
import { notedWith, readRowsNote, rowOf, writeRowsNote } from './rows-note.ts';

// The custom fields and the rows of role permissions, as `provision` makes them and `--remove` takes them away.

/** Fields and permissions, in the order in which they are made: without a row, agents cannot see a field at level 1. */
export async function fieldItems(run: ProvisionRun): Promise<{ items: Item[]; warnings: string[] }> {
  const { admin, options, signal, site } = run;
  const roles = await admin.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] }, signal);
  const deskRoles = new Set(roles.map(({ name }) => name));
  const rows = options.protect ? levelRoles.map(({ role, rights }) => roleRowItem(run, 'HD Ticket', role, rights)) : [];
  const guard = options.protectCustomerOrgId
    ? customerGuard(run, deskRoles)
    : { rows: [], fields: new Set(), roles: [] };
  const contact = await contactItems(run, deskRoles);
  const isProtected = ({ serviceOnly }: DesiredField) => options.protect && serviceOnly;
  const isGuarded = ({ fieldname }: DesiredField) => guard.fields.has(fieldname);
  const warnings = [...contact.warnings];
  if (guard.rows.some(isToBeDone))
    warnings.unshift(
      `Portal customers with the role ${guard.roles.join(', ')} may change which company an HD Customer is. To prevent that, ${ownRows('this gives HD Customer', 'HD Customer')} Use --no-protect-customer-orgid to leave it as it is.`,
    );
  if (rows.some(isToBeDone)) warnings.unshift(ownRows('--protect gives HD Ticket', 'HD Ticket'));
  return {
    items: [
      ...rows,
      ...guard.rows,
      ...contact.items,
      ...fieldsOf(run, 'HD Ticket', site.ticket, isProtected, rows),
      ...fieldsOf(run, 'HD Customer', site.customer, isGuarded, guard.rows),
    ],
    warnings,
  };
}

/** The cost of adding the first row to a DocType's permissions. */
const ownRows = (what: string, doctype: FieldedDoctype | 'Contact') =>
  `${what} role permissions of its own (Custom DocPerm): from then on, updates of Helpdesk no longer change ` +
  `the permissions of ${doctype} on this site.`;

/**
 * The custom fields of one DocType. An existing field never changes its type, nor is it made read-only.
 *
 * @param isProtected whether the field belongs at permission level 1, which `rows` open to the desk
 */
function fieldsOf(
  run: ProvisionRun,
  doctype: FieldedDoctype,
  site: AdminDoctype,
  isProtected: (desired: DesiredField) => boolean,
  rows: readonly Item[],
): Item[] {
  const needs = { items: rows, why: 'agents could not see the field while a row of permissions is missing' };
  return compareFields(doctype, site).map(({ desired, found, misfit, lacking }, index): Item => {
    const what = `${doctype}.${desired.fieldname}`;
    const protects = isProtected(desired);
    if (found === undefined) {
      const after = desiredFields[doctype][index - 1]?.fieldname ?? firstAfter[doctype];
      return createdField(run, doctype, desired, after, protects ? needs : null);
    }
    if (misfit !== null)
      return conflict(
        what,
        `is ${found.fieldtype}, should be ${desired.fieldtype}: kept; values that it cannot hold are left out. ` +
          'To fix it, back up its values, delete the field and run this again',
      );
    if (lacking.length > 0)
      return conflict(what, `is a Select without ${lacking.join(', ')}: kept; add these to its options`);
    if (!protects || found.permlevel > 0)
      return exists(what, `${found.fieldtype}${found.permlevel > 0 ? `, level ${found.permlevel}` : ''}`);
    return protectedField(run, what, found, needs);
  });
}

function createdField(
  { admin, made, signal }: ProvisionRun,
  doctype: FieldedDoctype,
  { fieldname, label, fieldtype, options, serviceOnly }: DesiredField,
  insert_after: string,
  needs: Item['needs'] | null,
): Item {
  const what = `${doctype}.${fieldname}`;
  const read_only = serviceOnly ? 1 : 0;
  const document = { dt: doctype, fieldname, label, fieldtype, insert_after, read_only, permlevel: needs ? 1 : 0 };
  const traits = [fieldtype, ...(serviceOnly ? ['read-only'] : []), ...(needs ? ['level 1'] : [])];
  return {
    what,
    state: 'create',
    detail: traits.join(', '),
    async make() {
      await admin.create('Custom Field', options === undefined ? document : { ...document, options }, signal);
      made.fields.push(what);
      if (needs) made.levels.push(what);
    },
    ...(needs && { needs }),
  };
}

function protectedField(
  { admin, made, seesAll, signal }: ProvisionRun,
  what: string,
  { customField }: AdminField,
  needs: Item['needs'] & object,
): Item {
  if (customField === null)
    return seesAll ? conflict(what, 'a standard field of this site, which is not protected from here') : unseen(what);
  return {
    what,
    state: 'change',
    detail: 'to permission level 1',
    async make() {
      await admin.update('Custom Field', customField, { permlevel: 1 }, signal);
      made.levels.push(what);
    },
    needs,
  };
}

/** The row that gives a role its permissions at level 1 (docs/decisions.md 19). One that is there is completed. */
function roleRowItem(
  { admin, made, signal, site }: ProvisionRun,
  doctype: FieldedDoctype,
  role: string,
  rights: readonly ('read' | 'write')[],
): Item {
  const { permissions } = doctype === 'HD Ticket' ? site.ticket : site.customer;
  const what = `${doctype} level 1 for ${role}`;
  const found = permissions.find((row) => row.role === role && row.permlevel === 1 && !row.ifOwner);
  const lacking = rights.filter((right) => found?.[right] !== true);
  if (lacking.length === 0) return exists(what, rights.join(', '));
  return {
    what,
    state: found === undefined ? 'create' : 'change',
    detail: lacking.join(', '),
    async make() {
      const row = { doctype, role, permlevel: 1 };
      if (found === undefined) await admin.addRoleRow(row, signal);
      for (const right of lacking) await admin.grant({ ...row, right }, signal);
      if (found === undefined) made.rows.push({ doctype, role });
    },
  };
}

/**
 * Keeps website users from changing which company an HD Customer is (docs/decisions.md 7): in 1.28 whoever manages a
 * customer may write it. Every desk role keeps at level 1 what it has at level 0. A role that already has level 1 keeps it:
 * permissions given by an operator are not removed here, but `doctor` reports them.
 *
 * @returns `fields`: those that are moved to level 1; `roles`: website roles that can set them now
 */
function customerGuard(
  run: ProvisionRun,
  deskRoles: ReadonlySet<string>,
): { rows: Item[]; fields: ReadonlySet<string>; roles: string[] } {
  const { customer } = run.site;
  const open = openIdentity(customer, deskRoles).filter(({ level }) => level === 0);
  const [first] = open;
  if (first === undefined) return { rows: [], fields: new Set(), roles: [] };
  const staff = customer.permissions.filter(
    ({ role, permlevel }) => permlevel === 0 && role !== 'Administrator' && isDeskRole(role, deskRoles),
  );
  const rows = [...new Set(staff.map(({ role }) => role))].map((role) => {
    const writes = staff.some((row) => row.role === role && (row.write || row.create));
    return roleRowItem(run, 'HD Customer', role, writes ? ['read', 'write'] : ['read']);
  });
  return { rows, fields: new Set(open.map(({ field }) => field)), roles: first.roles };
}

const noteName = 'Note of the role permissions of Contact';

/**
 * Keeps website users from creating, writing and deleting Contacts (docs/decisions.md 8): the helpdesk takes any Contact
 * with the sender's address for a ticket, and shows the ticket to whoever the Contact is named like. How the rows were is
 * noted before the first of them is changed.
 */
async function contactItems(
  { admin, seesAll, signal }: ProvisionRun,
  deskRoles: ReadonlySet<string>,
): Promise<{ items: Item[]; warnings: string[] }> {
  const what = 'Contact role permissions';
  if (!seesAll) return { items: [unseen(what)], warnings: [] };
  const { inForce, areOwn } = await admin.roleRows('Contact', signal);
  const changes = closeToWebsite(inForce, deskRoles);
  if (changes.length === 0) return { items: [exists(what, 'only the desk creates, writes and deletes')], warnings: [] };
  const found = await readRowsNote(admin, 'Contact', signal);
  const note = notedWith(found?.note ?? null, changes, areOwn);
  const noting: Item = {
    what: noteName,
    state: found === null ? 'create' : 'change',
    detail: 'a comment on the DocType, with the rows as they are now, for --remove',
    make: () => writeRowsNote(admin, 'Contact', { name: found?.name ?? null, note }, signal),
  };
  const rows = changes.map((change): Item => {
    const { before, after } = change;
    return {
      what: `Contact for ${rowOf(change).role}`,
      state: before === null ? 'create' : after === null ? 'delete' : 'change',
      detail: `${describeRow(before)} becomes ${describeRow(after)}`,
      make: () => changeRow(admin, 'Contact', change, signal),
      needs: { items: [noting], why: 'how the row was could not be noted' },
    };
  });
  const warning =
    'Everybody with an account may create and write Contacts, and the helpdesk shows a ticket to whoever its Contact is ' +
    `named like. Only the desk may do so from now on.${areOwn ? '' : ` ${ownRows('This gives Contact', 'Contact')}`} ` +
    'Contacts that are there already stay: "deskside doctor" lists those of website users.';
  return { items: [noting, ...rows], warnings: [warning] };
}

/** Brings a row of permissions from one state to another. */
async function changeRow(admin: HelpdeskAdmin, doctype: string, change: RowChange, signal: AbortSignal): Promise<void> {
  const { role, permlevel, if_owner } = rowOf(change);
  if (change.after === null) return admin.removeRoleRow({ doctype, role, permlevel, if_owner }, signal);
  await admin.copyRoleRows(doctype, signal);
  const key = { parent: doctype, role, permlevel, if_owner: Number(if_owner) };
  const filters = Object.entries(key).map(([field, value]) => [field, '=', value] as const);
  const [found] = await admin.list('Custom DocPerm', { fields: ['name'], filters }, signal);
  const flags = flagsOf(change.after);
  if (found !== undefined) return admin.update('Custom DocPerm', found.name, flags, signal);
  const document = { ...key, parenttype: 'DocType', parentfield: 'permissions', ...flags };
  await admin.create('Custom DocPerm', document, signal);
}

/** Puts the rows of Contact back as they were. Those that somebody has changed since stay, and are said. */
async function contactReturnItems({ admin, signal }: ProvisionRun): Promise<Item[]> {
  const found = await readRowsNote(admin, 'Contact', signal);
  if (found === null) return [];
  if (found.note === null)
    return [
      conflict(
        noteName,
        'cannot be read, since somebody has changed it: put the rows back by hand (Role Permissions Manager)',
      ),
    ];
  const { changes, had_own_rows: hadOwnRows } = found.note;
  const { inForce } = await admin.roleRows('Contact', signal);
  const rows = changes.flatMap((noted): Item[] => {
    const what = `Contact for ${rowOf(noted).role}`;
    const before = inForce.find((row) => isSameRow(row, rowOf(noted))) ?? null;
    if (areEqual(before, noted.before)) return [];
    if (!areEqual(before, noted.after))
      return [
        conflict(
          what,
          `is ${describeRow(before)}, which is not what Deskside has made of it: kept; it was ${describeRow(noted.before)}`,
        ),
      ];
    return [
      {
        what,
        state: noted.before === null ? 'delete' : 'change',
        detail: `back to ${describeRow(noted.before)}`,
        make: () => changeRow(admin, 'Contact', { before, after: noted.before }, signal),
      },
    ];
  });
  const forgetting: Item = {
    what: noteName,
    state: 'delete',
    detail: '',
    async make() {
      const now = await admin.roleRows('Contact', signal);
      if (!hadOwnRows && haveSameRows(now.inForce, now.standard)) await admin.resetRoleRows('Contact', signal);
      await admin.erase('Comment', found.name, signal);
    },
    needs: { items: rows, why: 'it stays, since not all rows are back' },
  };
  return [...rows, forgetting];
}

/** The custom fields that Deskside uses, or has made. */
async function customFields({ admin, made, signal }: ProvisionRun) {
  const used = Object.entries(desiredFields).flatMap(([doctype, fields]) =>
    fields.map(({ fieldname }) => `${doctype}.${fieldname}`),
  );
  const whats = [...new Set([...made.fields, ...made.levels, ...used])];
  const doctypes = [...new Set(whats.map((what) => what.split('.')[0] ?? ''))];
  const metas = new Map(
    await Promise.all(doctypes.map(async (name) => [name, await admin.doctype(name, signal)] as const)),
  );
  return whats.flatMap((what) => {
    const [doctype = '', fieldname = ''] = what.split('.');
    const field = metas.get(doctype)?.fields.get(fieldname);
    return field?.customField ? [{ what, name: field.customField, permlevel: field.permlevel }] : [];
  });
}

/**
 * Opens the fields again, takes our rows of permissions away, and the fields if wanted. What others have made or changed
 * stays, and is said.
 */
export async function fieldRemovalItems(
  run: ProvisionRun,
  withFields: boolean,
): Promise<{ items: Item[]; warnings: string[] }> {
  const { admin, made, signal } = run;
  const fields = await customFields(run);
  const ours = fields.filter(({ what }) => made.fields.includes(what));
  const gone = withFields ? ours : [];
  const closed = fields.filter(
    (field) => made.levels.includes(field.what) && field.permlevel === 1 && !gone.includes(field),
  );
  const opened = closed.map(
    ({ what, name }): Item => ({
      what,
      state: 'change',
      detail: 'to permission level 0',
      make: () => admin.update('Custom Field', name, { permlevel: 0 }, signal),
    }),
  );
  const rows = await roleRowRemovals(run);
  const warnings = [...rows.warnings];
  if (ours.length > gone.length)
    warnings.push(`${ours.length} custom fields and their values stay; --fields deletes them too.`);
  if (fields.length > ours.length)
    warnings.push(
      `What stays, since this store does not know whether Deskside made them: ${fields.length - ours.length} custom fields, and permissions at level 1 (Role Permissions Manager).`,
    );
  if (gone.length > 0)
    warnings.push(
      'The columns of deleted fields stay in the tables, with their values, until "bench trim-tables" runs.',
    );
  const erased = gone.map(
    ({ what, name }): Item => ({
      what,
      state: 'delete',
      detail: '',
      make: () => admin.erase('Custom Field', name, signal),
    }),
  );
  return { items: [...opened, ...rows.items, ...(await contactReturnItems(run)), ...erased], warnings };
}

/** Rows that are ours go; where nothing else differs from what the DocType came with, all of its own rows. */
async function roleRowRemovals({ admin, made, signal }: ProvisionRun) {
  const items: Item[] = [];
  const warnings: string[] = [];
  for (const doctype of new Set(made.rows.map((row) => row.doctype))) {
    const ours = made.rows.filter((row) => row.doctype === doctype).map(({ role }) => role);
    const isOurs = ({ permlevel, role }: PermissionRow) => permlevel === 1 && ours.includes(role);
    const { inForce, standard } = await admin.roleRows(doctype, signal);
    const others = inForce.filter((row) => !isOurs(row));
    if (haveSameRows(others, standard)) {
      items.push({
        what: `${doctype} role permissions`,
        state: 'change',
        detail: 'back to what it came with: nothing else was changed there',
        make: () => admin.resetRoleRows(doctype, signal),
      });
      continue;
    }
    for (const { role } of inForce.filter(isOurs))
      items.push({
        what: `${doctype} level 1 for ${role}`,
        state: 'delete',
        detail: '',
        make: () => admin.removeRoleRow({ doctype, role, permlevel: 1, if_owner: false }, signal),
      });
    warnings.push(
      `${doctype} keeps role permissions of its own, since others have changed them: compare them with the standard in the Role Permissions Manager.`,
    );
  }
  return { items, warnings };
}
