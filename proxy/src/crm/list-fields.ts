import * as z from 'zod';
import type { ListedField } from './crm-adapter.ts';
import type { AskCrm } from './doctor-gather.ts';
import type { FieldMap } from './field-map.ts';

type Extra = FieldMap['extra'][number];

const Described = z.record(
  z.string(),
  z.object({
    type: z.string(),
    title: z.string().nullish(),
    /** Of custom fields, whose `title` is their code. */
    formLabel: z.string().nullish(),
    listLabel: z.string().nullish(),
  }),
);

/** Types whose values say something as they are; a list holds the ids of its items, a file an address. */
const readable = new Set(['string', 'integer', 'double', 'money', 'date', 'datetime', 'boolean', 'char', 'url']);
const numbers = new Set(['integer', 'double', 'money']);

/**
 * The fields that the portal has for companies, custom ones first (docs/crm.md#fields). `extra` is how each that can be
 * shown, and that the field map does not use yet, is shown beside the others: an entry of `crm_fields.extra`.
 *
 * @returns the code of a failure, if the portal does not say
 */
export async function listFields(ask: AskCrm, fieldMap: FieldMap): Promise<ListedField[] | { failed: string }> {
  const answer = await ask('crm.company.fields', {});
  if (!answer.ok) return { failed: answer.code };
  const described = Described.safeParse(answer.result);
  if (!described.success) return { failed: 'bad_answer' };
  const { segments: _, extra, ...single } = fieldMap;
  const uses = new Map<string, string>([
    ...Object.entries(single).map(([use, field]) => [field, use] as const),
    ...extra.map(({ field, key }) => [field, key] as const),
  ]);
  const isCustom = ([field]: [string, unknown]) => field.startsWith('UF_');
  const rows = Object.entries(described.data).toSorted((a, b) => Number(isCustom(b)) - Number(isCustom(a)));
  return rows.map(([field, { type, title, formLabel, listLabel }]) => {
    const label = (formLabel || listLabel || title || field).slice(0, 100);
    const usedAs = uses.get(field) ?? null;
    const isOffered = usedAs === null && readable.has(type);
    return { field, type, title: label, usedAs, extra: isOffered ? extraOf(field, type, label) : null };
  });
}

function extraOf(field: string, type: string, label: string): Extra {
  const name = field.toLowerCase().replace(/^uf_crm_/, '');
  const key = (/^[a-z]/.test(name) ? name : `field_${name}`).slice(0, 64);
  const amount = /profit|margin/.test(name) ? 'profit' : 'metrics';
  return { field, key, label, group: numbers.has(type) ? amount : 'context' };
}
