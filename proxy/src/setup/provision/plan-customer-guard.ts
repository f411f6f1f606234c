import { openIdentity } from '#setup/compare.ts';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
import { isDeskRole } from '#setup/website-rights.ts';
import { planRoleRow } from './plan-fields.ts';
import type { PlanItem } from './plan-item.ts';

export interface CustomerGuard {
  /** Rows that let every desk role keep at level 1 the read and write permissions that it has at level 0. */
  rows: PlanItem[];
  /** Fields that are moved to level 1. */
  fields: ReadonlySet<string>;
  /** Website roles that can set them now. */
  roles: string[];
}

const nothing: CustomerGuard = { rows: [], fields: new Set(), roles: [] };

/**
 * Keeps website users from changing which company an HD Customer is (docs/decisions.md 9): in 1.28 whoever manages a
 * customer may write it. If only desk roles have that permission there is nothing to do. A role that already has level
 * 1 keeps it: permissions given by an operator are not removed here, but `doctor` reports them.
 */
export function planCustomerGuard(customer: AdminDoctype, deskRoles: ReadonlySet<string>): CustomerGuard {
  const open = openIdentity(customer, deskRoles).filter(({ level }) => level === 0);
  const [first] = open;
  if (first === undefined) return nothing;
  const staff = customer.permissions.filter(
    ({ role, permlevel }) => permlevel === 0 && role !== 'Administrator' && isDeskRole(role, deskRoles),
  );
  const rows = [...new Set(staff.map(({ role }) => role))].map((role) => {
    const writes = staff.some((row) => row.role === role && (row.write || row.create));
    return planRoleRow('HD Customer', customer, role, writes ? ['read', 'write'] : ['read']);
  });
  return { rows, fields: new Set(open.map(({ field }) => field)), roles: first.roles };
}
