import {
  type DesiredField,
  desiredFields,
  type FieldedDoctype,
  firstAfter,
  foundAs,
  levelRoles,
} from '#setup/desired-state.ts';
import type { AdminDoctype, AdminField } from '#setup/helpdesk-admin.ts';
import type { PlanItem } from './plan-item.ts';

/**
 * The custom fields of one DocType. An existing field never changes its type, nor is it made read-only.
 *
 * @param isProtected whether the field belongs at permission level 1
 */
export function planFields(
  doctype: FieldedDoctype,
  site: AdminDoctype,
  isProtected: (desired: DesiredField) => boolean,
): PlanItem[] {
  return desiredFields[doctype].map((desired, index, all) => {
    const what = `${doctype}.${desired.fieldname}`;
    const found = foundAs(site.fields, desired);
    const protects = isProtected(desired) ? doctype : undefined;
    if (found !== undefined) return { what, ...planFound(found, desired, protects) };
    const { fieldname, label, fieldtype, options } = desired;
    const document = {
      dt: doctype,
      fieldname,
      label,
      fieldtype,
      ...(options !== undefined && { options }),
      insert_after: all[index - 1]?.fieldname ?? firstAfter[doctype],
      read_only: desired.serviceOnly ? 1 : 0,
      permlevel: protects ? 1 : 0,
    };
    const traits = [fieldtype, ...(desired.serviceOnly ? ['read-only'] : []), ...(protects ? ['level 1'] : [])];
    const step = { kind: 'create', doctype: 'Custom Field', document, protects } as const;
    return { what, state: 'create', detail: traits.join(', '), step };
  });
}

function planFound(
  found: AdminField,
  desired: DesiredField,
  protects: FieldedDoctype | undefined,
): Omit<PlanItem, 'what'> {
  const unsuitable = misfit(found, desired);
  if (unsuitable !== null) return { state: 'conflict', detail: unsuitable, step: null };
  if (!protects || found.permlevel > 0) {
    const level = found.permlevel > 0 ? `, level ${found.permlevel}` : '';
    return { state: 'exists', detail: `${found.fieldtype}${level}`, step: null };
  }
  if (found.customField === null) {
    return { state: 'conflict', detail: 'a standard field of this site, which is not protected from here', step: null };
  }
  const step = {
    kind: 'update',
    doctype: 'Custom Field',
    name: found.customField,
    changes: { permlevel: 1 },
    protects,
  } as const;
  return { state: 'change', detail: 'to permission level 1', step };
}

/** Why an existing field cannot hold what the service writes; null if it can. `doctor` uses it too. */
export function misfit(found: Pick<AdminField, 'fieldtype' | 'options'>, desired: DesiredField): string | null {
  if (!desired.suits.includes(found.fieldtype)) {
    return (
      `is ${found.fieldtype}, should be ${desired.fieldtype}: kept; values that it cannot hold are left out. ` +
      'To fix it, back up its values, delete the field and run this again'
    );
  }
  if (found.fieldtype !== 'Select' || desired.values === undefined) return null;
  const offered = found.options.split('\n').map((option) => option.trim());
  const missing = desired.values.filter((value) => !offered.includes(value));
  return missing.length === 0 ? null : `is a Select without ${missing.join(', ')}: kept; add these to its options`;
}

/** Rows that let agents see, and the service write, the level 1 fields of HD Ticket (docs/decisions.md 19). */
export function planRoleRows(ticket: AdminDoctype): PlanItem[] {
  return levelRoles.map(({ role, rights }) => planRoleRow('HD Ticket', ticket, role, rights));
}

/** The row that gives a role its permissions at level 1. */
export function planRoleRow(
  doctype: FieldedDoctype,
  { permissions }: AdminDoctype,
  role: string,
  rights: readonly ('read' | 'write')[],
): PlanItem {
  const what = `${doctype} level 1 for ${role}`;
  const row = permissions.find((row) => row.role === role && row.permlevel === 1 && !row.ifOwner);
  const lacking = rights.filter((right) => row?.[right] !== true);
  if (lacking.length === 0) return { what, state: 'exists', detail: rights.join(', '), step: null };
  const step = { kind: 'role_row', doctype, role, add: row === undefined, rights: lacking } as const;
  return { what, state: row === undefined ? 'create' : 'change', detail: lacking.join(', '), step };
}
