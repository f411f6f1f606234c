import * as z from 'zod';

// The rows of role permissions of a DocType, and what they let website users do.

/** The rights of a row in Frappe's permission manager. */
const rights = [
  ...(['select', 'read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'] as const),
  ...(['report', 'export', 'import', 'share', 'print', 'email'] as const),
];

const PermissionRow = z.object({
  role: z.string(),
  permlevel: z.number(),
  if_owner: z.boolean(),
  rights: z.array(z.enum(rights)),
});

/** A row of role permissions with the rights that it gives. */
export type PermissionRow = z.output<typeof PermissionRow>;

export const RowChange = z.object({ before: PermissionRow.nullable(), after: PermissionRow.nullable() });

/** A row before and after a change; null where there is none. One of the two is there. */
export type RowChange = z.output<typeof RowChange>;

/** From a document of Frappe's, or a row of a DocType's definition. */
export function permissionRowOf(document: Record<string, unknown>): PermissionRow {
  return {
    role: String(document.role),
    permlevel: Number(document.permlevel ?? 0),
    if_owner: document.if_owner === 1,
    rights: rights.filter((right) => document[right] === 1),
  };
}

/** Every right of the row as Frappe's own fields, those that it does not give as well. */
export function flagsOf(row: PermissionRow): Record<string, 0 | 1> {
  return Object.fromEntries(rights.map((right) => [right, row.rights.includes(right) ? 1 : 0]));
}

/** Frappe has one row for a role, a level, and whether it is about one's own documents. */
export const isSameRow = (one: PermissionRow, other: PermissionRow): boolean =>
  one.role === other.role && one.permlevel === other.permlevel && one.if_owner === other.if_owner;

/** Whether both are the same row with the same rights, or both are absent. */
export function areEqual(one: PermissionRow | null, other: PermissionRow | null): boolean {
  if (one === null || other === null) return one === other;
  return isSameRow(one, other) && String(one.rights) === String(other.rights);
}

/** The row as a person reads it. */
export function describeRow(row: PermissionRow | null): string {
  if (row === null) return 'no row';
  return `${row.rights.join(', ')}${row.if_owner ? ' (own documents only)' : ''}`;
}

const changing = ['create', 'write', 'delete'] as const;

/**
 * Takes from the roles of website users the rights to create, write and delete documents; what they may read they go on
 * reading. Everybody of the desk has those of the role All as well, and gets them by a row of the desk's own.
 *
 * @param rows all rows of the DocType in force
 */
export function closeToWebsite(rows: readonly PermissionRow[], deskRoles: ReadonlySet<string>): RowChange[] {
  const open = rows.filter(
    ({ role, permlevel, rights }) =>
      permlevel === 0 &&
      role !== 'Administrator' &&
      !isDeskRole(role, deskRoles) &&
      changing.some((right) => rights.includes(right)),
  );
  // From Frappe 15; before, the desk had no role in common.
  const everybodyOfTheDesk = deskRoles.has('Desk User') ? ['Desk User'] : ['Agent', 'Agent Manager'];
  const moved = open
    .filter(({ role }) => role === 'All')
    .flatMap((row) => everybodyOfTheDesk.map((role) => ({ ...row, role })));
  return [...moved.flatMap((row) => giving(rows, row)), ...open.map(taking)];
}

/** Gives every role of the desk at level 1 what it may read and write at level 0. */
export function openLevel1ToDesk(rows: readonly PermissionRow[], deskRoles: ReadonlySet<string>): RowChange[] {
  const staff = rows.filter(
    ({ role, permlevel }) => permlevel === 0 && role !== 'Administrator' && isDeskRole(role, deskRoles),
  );
  return [...new Set(staff.map(({ role }) => role))].flatMap((role) => {
    const given = staff.filter((row) => row.role === role).flatMap((row) => row.rights);
    const writes = given.includes('write') || given.includes('create');
    return giving(rows, { role, permlevel: 1, if_owner: false, rights: writes ? ['read', 'write'] : ['read'] });
  });
}

/** What a role lacks of a row, as a change; nothing if it has all of that. */
function giving(rows: readonly PermissionRow[], wanted: PermissionRow): RowChange[] {
  const before = rows.find((row) => isSameRow(row, wanted)) ?? null;
  const after = {
    ...wanted,
    rights: rights.filter((one) => [...wanted.rights, ...(before?.rights ?? [])].includes(one)),
  };
  return areEqual(before, after) ? [] : [{ before, after }];
}

/** Frappe refuses a row that allows nothing. */
function taking(before: PermissionRow): RowChange {
  const left = before.rights.filter((right) => !changing.some((one) => one === right));
  const allows = left.includes('read') || left.includes('select');
  return { before, after: allows ? { ...before, rights: left } : null };
}

/** Whether both give the same rights to the same roles, in whatever order. */
export function haveSameRows(some: readonly PermissionRow[], others: readonly PermissionRow[]): boolean {
  return some.length === others.length && some.every((row) => others.some((other) => areEqual(row, other)));
}

/** One row of a DocType's role permissions, as currently in force. */
export interface RoleRow {
  role: string;
  permlevel: number;
  /** Only for the user's own documents. */
  ifOwner: boolean;
  read: boolean;
  write: boolean;
  create: boolean;
  delete: boolean;
}

/** Roles that everyone has, whatever their own record says about desk access. */
const everybodys = ['All', 'Guest'];

/**
 * Roles through which a website user, who may be anyone, can set a field of this level: by creating a document or by
 * writing one. Empty if the level is closed to all of them. A role without known desk access can be a website user's,
 * who may have several roles.
 *
 * @param deskRoles roles that make their holders system users (docs/helpdesk.md#roles)
 */
export function websiteRolesThatSet(rows: readonly RoleRow[], level: number, deskRoles: ReadonlySet<string>): string[] {
  const website = rows.filter(({ role }) => role !== 'Administrator' && !isDeskRole(role, deskRoles));
  const documents = website.filter(({ permlevel, write, create }) => permlevel === 0 && (write || create));
  const fields = level === 0 ? documents : website.filter(({ permlevel, write }) => permlevel === level && write);
  return documents.length === 0 ? [] : [...new Set(fields.map(({ role }) => role))];
}

/** Roles through which a website user can create, write or delete documents, their own at least. */
export function websiteRolesThatChange(rows: readonly RoleRow[], deskRoles: ReadonlySet<string>): string[] {
  const changing = rows.filter((row) => row.permlevel === 0 && (row.create || row.write || row.delete));
  const website = changing.filter(({ role }) => role !== 'Administrator' && !isDeskRole(role, deskRoles));
  return [...new Set(website.map(({ role }) => role))];
}

/** Whether only the site's own staff can have the role. */
function isDeskRole(role: string, deskRoles: ReadonlySet<string>): boolean {
  return deskRoles.has(role) && !everybodys.includes(role);
}
