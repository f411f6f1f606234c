import { type DesiredField, desiredFields, type FieldedDoctype, foundAs } from './desired-state.ts';
import type { AdminDoctype, AdminField } from './helpdesk-admin.ts';

/** How a field of the site differs from the desired one. */
export type FieldFault =
  | 'missing'
  | 'int_org_id'
  | 'unsuitable'
  | 'options_missing'
  | 'options_fixed'
  | 'too_short'
  | 'closed';

export interface ComparedField {
  desired: DesiredField;
  /** The site's field, possibly under its older name. */
  found: AdminField | undefined;
  faults: FieldFault[];
  /** What the service writes and a Select does not offer. */
  lacking: string[];
}

/** An org id has up to 20 digits, a CRM address more; anything shorter than this is too short for something. */
const shortest = 60;

/**
 * The specification's fields of one DocType and how those of the site differ (docs/decisions.md 6, 17, 19): `provision` mends
 * what it can, `doctor` says it.
 *
 * @param site null if the site lacks the DocType itself
 * @param openLevels levels above 0 that the service account may read and write; null if that is not the question
 */
export function compareFields(
  doctype: FieldedDoctype,
  site: AdminDoctype | null,
  openLevels: ReadonlySet<number> | null = null,
): ComparedField[] {
  return desiredFields[doctype].map((desired) => {
    const found = site ? foundAs(site.fields, desired) : undefined;
    if (found === undefined) return { desired, found, faults: ['missing'], lacking: [] };
    const { lacking, faults } = compareType(desired, found);
    const isClosed = found.permlevel > 0 && openLevels !== null && !openLevels.has(found.permlevel);
    return { desired, found, lacking, faults: [...faults, ...(isClosed ? ['closed' as const] : [])] };
  });
}

function compareType(
  { fieldname, suits, values }: DesiredField,
  { fieldtype, options, length }: AdminField,
): Pick<ComparedField, 'faults' | 'lacking'> {
  const only = (fault: FieldFault, lacking: string[] = []) => ({ faults: [fault], lacking });
  if (!suits.includes(fieldtype))
    return only(/org_?id$/.test(fieldname) && /Int$/.test(fieldtype) ? 'int_org_id' : 'unsuitable');
  if (fieldtype === 'Select') {
    const offered = options.split('\n').flatMap((option) => option.trim() || []);
    if (offered.length === 0) return { faults: [], lacking: [] };
    if (values === undefined) return only('options_fixed');
    const lacking = values.filter((value) => !offered.includes(value));
    return lacking.length === 0 ? { faults: [], lacking } : only('options_missing', lacking);
  }
  return fieldtype === 'Data' && length > 0 && length < shortest ? only('too_short') : { faults: [], lacking: [] };
}
