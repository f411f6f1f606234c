import { readFileSync } from 'node:fs';
import type { FieldType } from '#crm/simulator.ts';
import { callingWebhook } from '#seed/crm-companies.ts';

interface FieldDescription {
  type: string;
  label: string;
  multiple?: boolean;
  items?: readonly { ID: string; VALUE: string }[];
}

/** The fields of the portal's companies: by type, and with labels where they are the site's own. The ids of list items are this portal's. */
const { own, custom } = JSON.parse(readFileSync(new URL('company-fields.json', import.meta.url), 'utf8')) as {
  own: Record<string, string>;
  custom: Record<string, FieldDescription>;
};

/** Names by which companies can be filtered, where the portal lacks none. */
export const companyFieldNames: ReadonlySet<string> = new Set([...Object.keys(own), ...Object.keys(custom)]);

/** Answer of `crm.company.fields` (docs/crm.md#values), without the fields that this portal does not have. */
export function describeCompanyFields(
  absent: ReadonlySet<string>,
  types: ReadonlyMap<string, FieldType>,
): Record<string, unknown> {
  const ownRows = Object.entries(own).map(([name, type]) => [name, row(name, type, false, type === 'crm_multifield')]);
  const customRows = Object.entries(custom).map(([name, { type, label, multiple = false, items }]) => [
    name,
    {
      ...row(name, types.get(name)?.type ?? type, true, types.get(name)?.multiple ?? multiple),
      listLabel: label,
      formLabel: label,
      filterLabel: label,
      ...(items && { items }),
    },
  ]);
  return Object.fromEntries([...ownRows, ...customRows].filter(([name]) => !absent.has(String(name))));
}

function row(title: string, type: string, isDynamic: boolean, isMultiple: boolean) {
  const isReadOnly = ['ID', 'DATE_CREATE', 'DATE_MODIFY'].includes(title);
  return { type, isRequired: title === 'TITLE', isReadOnly, isImmutable: false, isMultiple, isDynamic, title };
}

/** Rows of `crm.company.userfield.list`; with a language the labels are texts, without it they are left out. */
export function userFieldRows(language: string | null, absent: ReadonlySet<string>): Record<string, unknown>[] {
  const rows = Object.entries(custom).map(([FIELD_NAME, { type, label, multiple, items }], index) => ({
    ID: String(401 + index),
    ENTITY_ID: 'CRM_COMPANY',
    FIELD_NAME,
    USER_TYPE_ID: type,
    XML_ID: '',
    SORT: '100',
    MULTIPLE: multiple ? 'Y' : 'N',
    MANDATORY: 'N',
    SHOW_FILTER: 'E',
    SHOW_IN_LIST: 'Y',
    EDIT_IN_LIST: 'Y',
    IS_SEARCHABLE: 'N',
    SETTINGS: [],
    ...(language !== null && { EDIT_FORM_LABEL: label, LIST_COLUMN_LABEL: label, LIST_FILTER_LABEL: label }),
    ...(items && {
      LIST: items.map((item, place) => ({
        ...item,
        SORT: String(10 * (place + 1)),
        DEF: 'N',
        XML_ID: `item_${item.ID}`,
      })),
    }),
  }));
  return rows.filter(({ FIELD_NAME }) => !absent.has(FIELD_NAME));
}

/** Puts the calling webhook's own `<user>/<secret>` into file addresses, as portals do. */
export function signFileAddresses(json: string, userAndSecret: string): string {
  return json.replaceAll(callingWebhook, userAndSecret);
}
