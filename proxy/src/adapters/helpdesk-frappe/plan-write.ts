import type { FieldChange } from '@deskside/shared/enrichment';
import type { DoctypeFields } from './doctype-fields.ts';
import { differs, encode, type FieldValue, type Misfit, shown, type Wanted } from './field-values.ts';
import type { SiteZone } from './site-time.ts';

/** What is to stand in which field, in the order in which changes are told. */
export type WantedFields = readonly (readonly [field: string, wanted: Wanted])[];

/** What it takes to bring a record to what is wanted. */
export interface WritePlan {
  changes: FieldChange[];
  /** The same for the helpdesk: only what differs. */
  values: Record<string, FieldValue>;
  leftOut: { field: string; reason: Misfit }[];
}

/**
 * Compares what stands in a record (null for a new one) with what is wanted, each field as its type shows it. What the
 * site has no field for, or the field no room, is left out (design.md, decision 17).
 */
export function planWrite(
  fields: DoctypeFields,
  zone: SiteZone,
  stored: Readonly<Record<string, unknown>> | null,
  wanted: WantedFields,
): WritePlan {
  const plan: WritePlan = { changes: [], values: {}, leftOut: [] };
  for (const [name, value] of wanted) {
    const field = fields.get(name);
    const encoded = field === undefined ? { misfit: 'no_such_field' as const } : encode(field, value, zone);
    if (field === undefined || 'misfit' in encoded) {
      if ('misfit' in encoded) plan.leftOut.push({ field: name, reason: encoded.misfit });
      continue;
    }
    if (!differs(field, stored?.[name], encoded.value)) continue;
    plan.changes.push({ field: name, from: shown(field, stored?.[name]), to: shown(field, encoded.value) });
    plan.values[name] = encoded.value;
  }
  return plan;
}
