import { validationError } from '#helpdesk/errors.ts';
import { leadingNumber, textKey } from '#helpdesk/store/comparison.ts';

/** One condition of a list call: field, operator in lower case, value as given. */
export interface Filter {
  /** Set where the condition names a DocType, which may be a child table's. */
  doctype?: string;
  field: string;
  operator: string;
  value: unknown;
}

/** How the database compares a column. */
export type ColumnKind = 'number' | 'text' | 'datetime' | 'date';

const operators = new Set([...['=', '!=', '>', '<', '>=', '<=', 'like', 'not like', 'in', 'not in', 'is']]);

/**
 * Reads filters in all the shapes Frappe takes: `{"f": v}`, `{"f": [op, v]}`, `[[f, op, v]]`, `[[DocType, f, op, v]]`,
 * `[[f, v]]`, as JSON text or already parsed. Throws 417 for an operator that does not exist.
 */
export function parseFilters(raw: unknown): Filter[] {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.map(fromArray);
  if (typeof value !== 'object') throw validationError('Invalid filters');
  return Object.entries(value).map(([field, condition]) =>
    Array.isArray(condition) && condition.length === 2
      ? filter(field, condition[0], condition[1])
      : filter(field, '=', condition),
  );
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('Invalid filters');
  }
}

function fromArray(item: unknown): Filter {
  if (!Array.isArray(item)) throw validationError('Invalid filters');
  if (item.length >= 4) return { ...filter(item[1], item[2], item[3]), doctype: String(item[0]) };
  return item.length === 2 ? filter(item[0], '=', item[1]) : filter(item[0], item[1], item[2]);
}

function filter(field: unknown, operator: unknown, value: unknown): Filter {
  const name = String(operator).toLowerCase();
  if (!operators.has(name)) throw validationError(`Operator must be one of ${[...operators].join(', ')}`);
  return { field: String(field), operator: name, value };
}

/** Which stored values meet a condition: it is made ready once, not for each of them. */
export function matcher(kind: ColumnKind, { operator, value }: Filter): (stored: unknown) => boolean {
  const isUnset = (stored: unknown) => stored === null || stored === undefined || stored === '';
  const not = (met: (stored: unknown) => boolean) => (stored: unknown) => !met(stored);
  const compared = (met: (order: number) => boolean) => {
    const wanted = keyOf(kind, value);
    return (stored: unknown) => met(orderOf(keyOf(kind, stored), wanted));
  };
  switch (operator) {
    case 'is':
      return textKey(value) === 'set' ? not(isUnset) : isUnset;
    case 'like':
      return likeMatcher(String(value));
    case 'not like':
      return not(likeMatcher(String(value)));
    case 'in':
    case 'not in': {
      const wanted = new Set(listOf(value).map((one) => keyOf(kind, one)));
      return (stored) => wanted.has(keyOf(kind, stored)) === (operator === 'in');
    }
    case '=':
      return value === null ? isUnset : compared((order) => order === 0);
    case '!=':
      return value === null ? not(isUnset) : compared((order) => order !== 0);
    case '>':
      return compared((order) => order > 0);
    case '<':
      return compared((order) => order < 0);
    case '>=':
      return compared((order) => order >= 0);
    default:
      return compared((order) => order <= 0);
  }
}

/** Compares as the column does; an unset value counts as its smallest. */
export function compare(kind: ColumnKind, left: unknown, right: unknown): number {
  return orderOf(keyOf(kind, left), keyOf(kind, right));
}

/** What a column compares of a value. */
function keyOf(kind: ColumnKind, value: unknown): string | number {
  return kind === 'number' ? leadingNumber(value) : comparable(kind, value);
}

const orderOf = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

function comparable(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'text') return textKey(value);
  const text = String(value).replace('T', ' ').replace(/Z$/, '');
  if (kind === 'date') return text.slice(0, 10);
  const [date = '', time = '00:00:00'] = text.split(' ');
  const [clock = '', fraction = ''] = time.split('.');
  return text === '' ? '' : `${date} ${clock.padEnd(8, ':00')}.${fraction.padEnd(6, '0')}`;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value];
}

/** A sign that counts for nothing in whole texts, of which LIKE knows no other. */
const ignored = '\u0300';

const signKeys = new Map<string, string>();

/** What LIKE compares of one sign: a letter and its accents, written as signs of their own, are several. */
function signKey(sign: string): string {
  const known = signKeys.get(sign);
  if (known === undefined) signKeys.set(sign, newSignKey(sign));
  return known ?? newSignKey(sign);
}

function newSignKey(sign: string): string {
  if (/\s/.test(sign)) return sign.normalize('NFKD');
  const key = textKey(sign) || ignored;
  // What stands for several signs, as ½ and ß do, is only itself.
  return [...key].length === 1 && key !== '\ufffd' ? key : sign;
}

/** Turns a LIKE pattern into a test: the parts between its `%`, each as early as it fits. */
function likeMatcher(pattern: string): (value: unknown) => boolean {
  const parts = pattern.split('%').map((part) => [...part].map((sign) => (sign === '_' ? null : signKey(sign))));
  const fits = (part: (string | null)[], signs: string[], at: number) =>
    part.every((sign, n) => at + n < signs.length && (sign === null || sign === signs[at + n]));
  const last = parts.length - 1;
  return (value) => {
    const signs = [...String(value ?? '')].map(signKey);
    let from = 0;
    for (const [n, part] of parts.entries()) {
      const latest = signs.length - part.length;
      let at = n === last && n > 0 ? Math.max(from, latest) : from;
      while (n > 0 && at < latest && !fits(part, signs, at)) at += 1;
      if (!fits(part, signs, at)) return false;
      from = at + part.length;
    }
    return last > 0 || from === signs.length;
  };
}
