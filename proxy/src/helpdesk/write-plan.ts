import type { FieldChange } from '@deskside/shared/enrichment';
import type { SiteZone } from './site-time.ts';
import {
  type DesiredValue,
  type DoctypeFields,
  differs,
  encode,
  type FieldValue,
  type Misfit,
  shown,
} from './values.ts';

/** The desired value of each field, in the order in which changes are reported. */
export type DesiredFields = readonly (readonly [field: string, desired: DesiredValue])[];

/** What it takes to bring a record to the desired values. */
export interface WritePlan {
  changes: FieldChange[];
  /** Likewise for the helpdesk: only what differs. */
  values: Record<string, FieldValue>;
  skippedFields: { field: string; reason: Misfit }[];
}

/**
 * Compares a record (null for a new one) with the desired values, each in the form that its field's type shows. A value
 * that the site has no field for, or that does not fit into its field, is left out (decision 16: checked names).
 */
export function planWrite(
  fields: DoctypeFields,
  zone: SiteZone,
  stored: Readonly<Record<string, unknown>> | null,
  desired: DesiredFields,
): WritePlan {
  const plan: WritePlan = { changes: [], values: {}, skippedFields: [] };
  for (const [name, value] of desired) {
    const field = fields.get(name);
    const encoded = field === undefined ? { misfit: 'no_such_field' as const } : encode(field, value, zone);
    if (field === undefined || 'misfit' in encoded) {
      if ('misfit' in encoded) plan.skippedFields.push({ field: name, reason: encoded.misfit });
      continue;
    }
    if (!differs(field, stored?.[name], encoded.value)) continue;
    plan.changes.push({ field: name, from: shown(field, stored?.[name]), to: shown(field, encoded.value) });
    plan.values[name] = encoded.value;
  }
  return plan;
}

/**
 * What it takes to undo changes as far as their fields still show what they were changed to: in the record's own form,
 * because only values that it held before are written. A field in `ours` is written by nobody else, so it goes back
 * whatever it shows.
 */
export function planBack(
  fields: DoctypeFields,
  stored: Readonly<Record<string, unknown>>,
  changes: readonly FieldChange[],
  ours: ReadonlySet<string> = new Set(),
): { due: FieldChange[]; values: Record<string, FieldValue> } {
  const due = changes.flatMap(({ field: name, from, to }) => {
    const field = fields.get(name);
    if (field === undefined) return [];
    const present = shown(field, stored[name]);
    return present === to || ours.has(name) ? [{ field: name, from: present, to: from }] : [];
  });
  return { due, values: Object.fromEntries(due.map(({ field, to }) => [field, to])) };
}
