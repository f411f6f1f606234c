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
export function isDeskRole(role: string, deskRoles: ReadonlySet<string>): boolean {
  return deskRoles.has(role) && !everybodys.includes(role);
}
