import { Command } from 'commander';
import { printTable } from '#commands/terminal.ts';
import { parseConfig } from '#config.ts';
import type { FieldMap } from '#crm/company.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#runtime/app-error.ts';
import { askThrough, type CompanyFieldCatalogue, fieldsOfCompanies } from './doctor/crm.ts';

const withinMs = 15_000;

/** `deskside crm-fields`: which fields the CRM has for companies, ready to be shown (docs/operate.md#rules). */
export function crmFieldsCommand(): Command {
  return new Command('crm-fields')
    .description("List the CRM's fields of a company, and the rest of them as crm_fields.extra; changes nothing")
    .option('--json', 'print only a crm_fields with an extra for each field that is not shown yet')
    .action(async ({ json }: { json?: boolean }) => {
      const config = parseConfig(process.env);
      const found = await withEgress(config, async (egress) => {
        const ask = askThrough('CRM_WEBHOOK_URL', config, egress, withinMs);
        return ask && fieldsOfCompanies(ask);
      });
      if (found === null) throw new StartError('CRM_WEBHOOK_URL is not set: there is no CRM to ask.');
      if ('said' in found)
        throw new StartError(`${found.said.text} ${found.said.todo} "deskside doctor" looks at the rest of it.`);
      const fields = listFields(found.fields, config.rules.crm_fields);
      const extra = fields.flatMap((field) => field.extra ?? []);
      if (!json) {
        const rows = fields.map(({ field, type, title, usedAs }) => [field, type, title, usedAs ?? '']);
        console.log([...printTable(['Field', 'Type', 'Title', 'Shown as'], rows), ''].join('\n'));
      }
      const lines = extra.map((entry) => JSON.stringify(entry)).join(',\n  ');
      console.log(`{ "extra": [\n  ${lines}\n] }`);
    });
}

/** A field that the CRM has for companies. */
interface ListedField {
  field: string;
  type: string;
  title: string;
  /** What it is in `crm_fields` already; null if nothing. */
  usedAs: string | null;
  /** The entry that shows it under `crm_fields.extra`; null if it is shown already, or cannot be. */
  extra: Extra | null;
}

type Extra = FieldMap['extra'][number];

/** Types whose values say something as they are. */
const readable = new Set(['string', 'integer', 'double', 'money', 'date', 'datetime', 'boolean', 'char', 'url']);
/** Types whose values are ids, letters or addresses, and how they are shown. */
const typed: Readonly<Record<string, Extra['type']>> = {
  boolean: 'boolean',
  char: 'boolean',
  enumeration: 'list',
  employee: 'employee',
  file: 'file',
};
const numbers = new Set(['integer', 'double', 'money']);

/**
 * The fields of companies, custom ones first (docs/crm.md#values). `extra` is how each that can be
 * shown, and that the field map does not use yet, is shown beside the others: an entry of `crm_fields.extra`.
 */
function listFields(fields: CompanyFieldCatalogue, fieldMap: FieldMap): ListedField[] {
  const { segments: _, extra, ...single } = fieldMap;
  const uses = new Map<string, string>([
    ...Object.entries(single).map(([use, field]) => [field, use] as const),
    ...extra.map(({ field, key }) => [field, key] as const),
  ]);
  const isCustom = ([field]: [string, unknown]) => field.startsWith('UF_');
  const rows = Object.entries(fields).toSorted((a, b) => Number(isCustom(b)) - Number(isCustom(a)));
  return rows.map(([field, { type, title, formLabel, listLabel, items }]) => {
    const label = (formLabel || listLabel || title || field).slice(0, 100);
    const usedAs = uses.get(field) ?? null;
    const isOffered = usedAs === null && (readable.has(type) || type in typed);
    return { field, type, title: label, usedAs, extra: isOffered ? extraOf(field, type, label, items) : null };
  });
}

function extraOf(field: string, type: string, label: string, items: readonly { ID: string; VALUE: string }[]): Extra {
  const name = field.toLowerCase().replace(/^uf_crm_/, '');
  const key = (/^[a-z]/.test(name) ? name : `field_${name}`).slice(0, 64);
  const amount = /profit|margin/.test(name) ? 'profit' : 'metrics';
  const entry = { field, key, label, group: numbers.has(type) ? amount : 'context' } as const;
  const names = Object.fromEntries(items.map(({ ID, VALUE }) => [ID, VALUE.slice(0, 200)]));
  return { ...entry, ...(typed[type] && { type: typed[type] }), ...(type === 'enumeration' && { items: names }) };
}
