import type { AdminDoctype, AdminField } from '../helpdesk-admin.ts';
import { type FieldedDoctype, firstAfter, levelRoles, type WantedField, wantedFields } from '../wanted.ts';
import type { PlanItem } from './plan.ts';

/** The custom fields of one DocType. An existing field is never given another type, nor taken from whoever edits it. */
export function planFields(doctype: FieldedDoctype, site: AdminDoctype, protect: boolean): PlanItem[] {
  return wantedFields[doctype].map((wanted, index, all) => {
    const what = `${doctype}.${wanted.fieldname}`;
    const found = site.fields.get(wanted.fieldname);
    const protects = protect && wanted.serviceOnly;
    if (found !== undefined) return { what, ...planFound(found, wanted, protects) };
    const { fieldname, label, fieldtype, options } = wanted;
    const document = {
      dt: doctype,
      fieldname,
      label,
      fieldtype,
      ...(options !== undefined && { options }),
      insert_after: all[index - 1]?.fieldname ?? firstAfter[doctype],
      read_only: wanted.serviceOnly ? 1 : 0,
      permlevel: protects ? 1 : 0,
    };
    const traits = [fieldtype, ...(wanted.serviceOnly ? ['read-only'] : []), ...(protects ? ['level 1'] : [])];
    const step = { kind: 'create', doctype: 'Custom Field', document, protects } as const;
    return { what, state: 'create', detail: traits.join(', '), step };
  });
}

function planFound(found: AdminField, wanted: WantedField, protects: boolean): Omit<PlanItem, 'what'> {
  const unsuitable = misfit(found, wanted);
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

/**
 * Why an existing field cannot hold what the service writes; null where it can. Also what `doctor` says of it.
 */
export function misfit(found: Pick<AdminField, 'fieldtype' | 'options'>, wanted: WantedField): string | null {
  if (!wanted.suits.includes(found.fieldtype)) {
    return (
      `is ${found.fieldtype}, should be ${wanted.fieldtype}: kept; values that it cannot hold are left out. ` +
      'To mend it, save its values, delete the field and run this again'
    );
  }
  if (found.fieldtype !== 'Select' || wanted.values === undefined) return null;
  const offered = found.options.split('\n').map((option) => option.trim());
  const missing = wanted.values.filter((value) => !offered.includes(value));
  return missing.length === 0 ? null : `is a Select without ${missing.join(', ')}: kept; add these to its options`;
}

/** Rows that let the desk see and the service write what stands at level 1 on HD Ticket (design.md, decision 19). */
export function planRoleRows(ticket: AdminDoctype): PlanItem[] {
  return levelRoles.map(({ role, rights }) => {
    const what = `HD Ticket level 1 for ${role}`;
    const row = ticket.permissions.find((row) => row.role === role && row.permlevel === 1 && !row.ifOwner);
    const lacking = rights.filter((right) => row?.[right] !== true);
    if (lacking.length === 0) return { what, state: 'exists', detail: rights.join(', '), step: null };
    const step = { kind: 'role_row', doctype: 'HD Ticket', role, add: row === undefined, rights: lacking } as const;
    return { what, state: row === undefined ? 'create' : 'change', detail: lacking.join(', '), step };
  });
}
