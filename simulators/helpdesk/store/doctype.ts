export interface Field {
  fieldname: string;
  label: string;
  fieldtype: string;
  options?: string;
  reqd?: number;
  unique?: number;
  permlevel?: number;
  read_only?: number;
  default?: string;
  is_custom_field?: number;
}

export interface DocPerm {
  role: string;
  permlevel?: number;
  if_owner?: number;
  select?: number;
  read?: number;
  write?: number;
  create?: number;
  delete?: number;
  share?: number;
  email?: number;
}

export interface DocType {
  name: string;
  /** Frappe's naming rule, for example `autoincrement`, `.####`, `field:customer_name`, `hash`, `prompt`. */
  autoname: string | null;
  issingle: number;
  istable: number;
  modified: string;
  fields: Field[];
  permissions: DocPerm[];
}

const layoutTypes = new Set(['Section Break', 'Column Break', 'Tab Break', 'HTML', 'Button', 'Heading', 'Fold']);
const numberTypes = new Set(['Check', 'Int', 'Float', 'Currency', 'Percent', 'Rating', 'Duration']);
const notNullTypes = new Set(['Check', 'Int', 'Float', 'Currency', 'Percent', 'Rating']);

export const isTable = (field: Field): boolean =>
  field.fieldtype === 'Table' || field.fieldtype === 'Table MultiSelect';
export const isNumber = (field: Field): boolean => numberTypes.has(field.fieldtype);
/** Columns that the database creates `not null default 0`. */
export const isNotNull = (field: Field): boolean => notNullTypes.has(field.fieldtype);
export const isStored = (field: Field): boolean => !layoutTypes.has(field.fieldtype);

/** Names are numbers on the wire and coerced by the database (docs/helpdesk.md#names). */
export const hasNumericNames = (doctype: DocType): boolean => doctype.autoname === 'autoincrement';

/** A permission row from its letters: select, read, write, create, delete, share (`h`), email, owner only. */
export function permissionRow(role: string, letters: string): DocPerm {
  const flag = (letter: string): number => (letters.includes(letter) ? 1 : 0);
  return {
    role,
    select: flag('s'),
    read: flag('r'),
    write: flag('w'),
    create: flag('c'),
    delete: flag('d'),
    share: flag('h'),
    email: flag('e'),
    if_owner: flag('o'),
  };
}
