import { rolesOf } from '#helpdesk/access/permissions.ts';
import { permissionDenied } from '#helpdesk/errors.ts';
import { applyCustomRows, copyStandardRows, customRows, storeRow } from '#helpdesk/hooks/hooks.ts';
import type { MethodTable, SiteCall } from '#helpdesk/http/call.ts';
import { text } from '#helpdesk/http/call.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { castValue } from '#helpdesk/store/values.ts';

const prefix = 'frappe.core.page.permission_manager.permission_manager';

/** What a System Manager changes about the rows of the DocType that an argument names. */
const changing = (parameter: string, change: (call: SiteCall, doctype: string) => void): MethodTable[string] => ({
  writes: true,
  run(call) {
    requireManager(call);
    const doctype = text(call.args, parameter);
    change(call, doctype);
    applyCustomRows(call.site, doctype);
  },
});

/** Frappe's permission manager: rows for a role at a level, and their switches. System Managers only. */
export const permissionMethods: MethodTable = {
  [`${prefix}.add`]: changing('parent', (call, doctype) => {
    const row = find(call, doctype, { if_owner: 0 });
    if (row === undefined) store(call, { ...wanted(call, { if_owner: 0 }), parent: doctype, read: 1 });
  }),
  [`${prefix}.update`]: changing('doctype', (call, doctype) => {
    const row = find(call, doctype);
    const meta = call.site.metadata.get('Custom DocPerm');
    const field = meta.fields.find((candidate) => candidate.fieldname === call.args.ptype);
    if (row !== undefined && field !== undefined)
      store(call, { ...row, [field.fieldname]: castValue(meta, field, call.args.value) });
  }),
  [`${prefix}.remove`]: changing('doctype', (call, doctype) => {
    const row = find(call, doctype);
    if (row !== undefined) call.site.store.remove(call.site.metadata.get('Custom DocPerm'), row.name);
  }),
  [`${prefix}.reset`]: changing('doctype', (call, doctype) => {
    for (const { name } of customRows(call.site, doctype))
      call.site.store.remove(call.site.metadata.get('Custom DocPerm'), name);
  }),
  [`${prefix}.get_standard_permissions`]: {
    run(call) {
      requireManager(call);
      return call.site.metadata.standardRows(text(call.args, 'doctype'));
    },
  },
};

function requireManager(call: SiteCall): void {
  if (!rolesOf(call.site, call.user).has('System Manager') && call.user !== 'Administrator')
    throw permissionDenied(null);
}

/** The row that a request is about. */
function wanted({ args }: SiteCall, { if_owner = Number(args.if_owner ?? 0) } = {}) {
  return { role: text(args, 'role'), permlevel: Number(args.permlevel ?? 0), if_owner };
}

/** It among the site's own rows, to which the DocType's are copied first. */
function find(call: SiteCall, doctype: string, more?: { if_owner: number }): StoredDocument | undefined {
  copyStandardRows(call.site, doctype);
  const { role, permlevel, if_owner } = wanted(call, more);
  return customRows(call.site, doctype).find(
    (row) => row.role === role && Number(row.permlevel ?? 0) === permlevel && Number(row.if_owner ?? 0) === if_owner,
  );
}

function store({ site, user }: SiteCall, row: Record<string, unknown>): void {
  storeRow(site, user, row);
}
