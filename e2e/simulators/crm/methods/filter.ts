import { isArray, type Params } from '#crm/http/php-params.ts';
import { errors } from '#crm/http/rest-error.ts';
import type { CrmRecord } from '#seed/types.ts';

/** Fields that hold several values with a type each. */
export const multiFields: ReadonlySet<string> = new Set(['PHONE', 'EMAIL', 'WEB', 'IM', 'LINK']);

const operators = ['!=%', '!%=', '!%', '=%', '%=', '!@', '!=', '>=', '<=', '@', '!', '>', '<', '=', '%'] as const;
type Operator = (typeof operators)[number] | '';

export interface FilterRules {
  /** Names that may be filtered by. Another one is ignored by the old list methods, refused by newer ones. */
  known: ReadonlySet<string>;
  unknown: 'ignore' | 'error';
}

/** Makes the test that a filter is; all its conditions must hold (docs/crm.md#filters). */
export function compileFilter(filter: unknown, rules: FilterRules): (record: CrmRecord) => boolean {
  if (filter === undefined || filter === null || filter === '') return () => true;
  if (!isArray(filter)) throw errors.notArray('filter');
  const tests = Object.entries(filter as Params).flatMap(([key, wanted]) => {
    const operator: Operator = operators.find((o) => key.startsWith(o)) ?? '';
    const field = key.slice(operator.length);
    if (rules.known.has(field)) return [{ field, operator, wanted }];
    if (rules.unknown === 'error') throw errors.unknownField(field);
    return [];
  });
  return (record) =>
    tests.every(({ field, operator, wanted }) =>
      holds(valuesOf(record[field]), multiFields.has(field) ? exactly(operator) : operator, wanted),
    );
}

/** E-mails, phones and addresses are only found whole, whatever pattern is asked for. */
function exactly(operator: Operator): Operator {
  return operator.includes('%') ? (operator.startsWith('!') ? '!=' : '=') : operator;
}

function holds(values: string[], operator: Operator, wanted: unknown): boolean {
  const list = Array.isArray(wanted)
    ? wanted.map(text)
    : isArray(wanted)
      ? Object.values(wanted).map(text)
      : [text(wanted)];
  const first = list[0] ?? '';
  switch (operator) {
    case '':
    case '=':
    case '@':
      return values.some((v) => list.some((w) => same(v, w)));
    case '!':
    case '!=':
    case '!@':
      return !values.some((v) => list.some((w) => same(v, w)));
    case '%':
      return values.some((v) => v.toLowerCase().includes(first.toLowerCase()));
    case '!%':
      return !values.some((v) => v.toLowerCase().includes(first.toLowerCase()));
    case '=%':
    case '%=':
      return values.some((v) => like(v, first));
    case '!=%':
    case '!%=':
      return !values.some((v) => like(v, first));
    case '>':
      return values.some((v) => v !== '' && compare(v, first) > 0);
    case '>=':
      return values.some((v) => v !== '' && compare(v, first) >= 0);
    case '<':
      return values.some((v) => v !== '' && compare(v, first) < 0);
    case '<=':
      return values.some((v) => v !== '' && compare(v, first) <= 0);
  }
}

/** What a field holds, as texts: a list gives several, a multi field its values, nothing gives one empty text. */
function valuesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [text(value)];
  const texts = value.map((item) => text(isArray(item) ? (item as Params).VALUE : item));
  return texts.length > 0 ? texts : [''];
}

function text(value: unknown): string {
  return value === null || value === undefined || value === false ? '' : value === true ? '1' : String(value);
}

/** As the database behind the portal compares: without regard to case and to blanks behind. */
function same(a: string, b: string): boolean {
  return a.trimEnd().toLowerCase() === b.trimEnd().toLowerCase();
}

function like(value: string, pattern: string): boolean {
  const source = [...pattern]
    .map((c) => (c === '%' ? '.*' : c === '_' ? '.' : c.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 'isu').test(value);
}

const numeric = /^-?\d+(\.\d+)?$/;
const dated = /^\d{4}-\d\d-\d\d/;

/** Orders two texts as numbers or as moments where both are, else as texts. */
export function compare(a: string, b: string): number {
  if (numeric.test(a) && numeric.test(b)) return Number(a) - Number(b);
  if (dated.test(a) && dated.test(b)) return Date.parse(a) - Date.parse(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
