import { identifyingFields } from './desired-state.ts';
import type { AdminDoctype } from './helpdesk-admin.ts';
import { websiteRolesThatSet } from './website-rights.ts';

/**
 * The fields of HD Customer that say which company it is, and the roles of website users that may set each
 * (docs/decisions.md 19): `provision` closes those at level 0, `doctor` says which are open. A field that is yet to be made
 * counts as one at level 0.
 */
export function openIdentity({ fields, permissions }: AdminDoctype, deskRoles: ReadonlySet<string>) {
  return identifyingFields.flatMap((field) => {
    const level = fields.get(field)?.permlevel ?? 0;
    const roles = websiteRolesThatSet(permissions, level, deskRoles);
    return roles.length > 0 ? [{ field, level, roles, isThere: fields.has(field) }] : [];
  });
}
