import { type ComparedField, compareFields } from '#setup/compare.ts';
import { type DesiredField, type FieldedDoctype, firstAfter, levelRoles } from '#setup/desired-state.ts';
import type { AdminDoctype, AdminField } from '#setup/helpdesk-admin.ts';
import { type PlanItem, unseenItem } from './plan-item.ts';

/**
 * The custom fields of one DocType. An existing field never changes its type, nor is it made read-only.
 *
 * @param isProtected whether the field belongs at permission level 1
 * @param seesAll whether the key shows which fields are documents of their own
 */
export function planFields(
  doctype: FieldedDoctype,
  site: AdminDoctype,
  isProtected: (desired: DesiredField) => boolean,
  seesAll: boolean,
): PlanItem[] {
  return compareFields(doctype, site).map((compared, index, all): PlanItem => {
    const { desired } = compared;
    const what = `${doctype}.${desired.fieldname}`;
    const protects = isProtected(desired) ? doctype : undefined;
    if (compared.found !== undefined) return { ...planFound(compared.found, compared, protects, seesAll), what };
    const { fieldname, label, fieldtype, options } = desired;
    const document = {
      dt: doctype,
      fieldname,
      label,
      fieldtype,
      ...(options !== undefined && { options }),
      insert_after: all[index - 1]?.desired.fieldname ?? firstAfter[doctype],
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
  compared: ComparedField,
  protects: FieldedDoctype | undefined,
  seesAll: boolean,
): Omit<PlanItem, 'what'> {
  const unsuitable = whyUnfit(found, compared);
  if (unsuitable !== null) return { state: 'conflict', detail: unsuitable, step: null };
  if (!protects || found.permlevel > 0) {
    const level = found.permlevel > 0 ? `, level ${found.permlevel}` : '';
    return { state: 'exists', detail: `${found.fieldtype}${level}`, step: null };
  }
  if (found.customField === null && !seesAll) return unseenItem('');
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

/** Why an existing field cannot hold what the service writes; null if it can. */
function whyUnfit({ fieldtype }: AdminField, { desired, misfit, lacking }: ComparedField): string | null {
  if (misfit !== null) {
    return (
      `is ${fieldtype}, should be ${desired.fieldtype}: kept; values that it cannot hold are left out. ` +
      'To fix it, back up its values, delete the field and run this again'
    );
  }
  return lacking.length === 0 ? null : `is a Select without ${lacking.join(', ')}: kept; add these to its options`;
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
