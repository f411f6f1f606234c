import type { Call } from '../call.ts';
import { text } from '../call.ts';
import { permissionDenied } from '../errors.ts';
import type { PermissionRow } from '../metadata.ts';
import { rolesOf } from '../roles.ts';
import type { MethodTable } from './methods.ts';

const prefix = 'frappe.core.page.permission_manager.permission_manager';

/** Frappe's permission manager: rows for a role at a level, and their switches. System Managers only. */
export const permissionMethods: MethodTable = {
  [`${prefix}.add`]: {
    writes: true,
    run(call) {
      requireManager(call);
      const doctype = call.site.metadata.get(text(call.args, 'parent'));
      doctype.permissions.push({ role: text(call.args, 'role'), permlevel: Number(call.args.permlevel ?? 0) });
    },
  },
  [`${prefix}.update`]: {
    writes: true,
    run(call) {
      requireManager(call);
      const doctype = call.site.metadata.get(text(call.args, 'doctype'));
      const level = Number(call.args.permlevel ?? 0);
      const row = doctype.permissions.find(
        (candidate) => candidate.role === call.args.role && (candidate.permlevel ?? 0) === level,
      );
      if (row !== undefined)
        Object.assign(row, { [text(call.args, 'ptype')]: Number(call.args.value) as PermissionRow['read'] });
    },
  },
};

function requireManager(call: Call): void {
  if (!rolesOf(call.site, call.user).has('System Manager')) throw permissionDenied(null);
}
