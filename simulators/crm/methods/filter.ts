import { errors, isArray, type Params } from '#crm/http/request.ts';
import type { CrmRecord } from '#seed/types.ts';

/** Fields that hold several values with a type each. */
export const multiFields: ReadonlySet<string> = new Set(['PHONE', 'EMAIL', 'WEB', 'IM', 'LINK']);

const operators = ['=%', '%=', '@', '>', '=', '%'] as const;
type Operator = (typeof operators)[number] | '';

export interface FilterRules {
  /** Names that may be filtered by. Another one is ignored. */
  known: ReadonlySet<string>;
  /** Fields whose values are numbers: `7` finds `7.0000000`. */
  numbers?: ReadonlySet<string>;
}

/** Makes the test that a filter is; all its conditions must hold (docs/crm.md#filters). */
export function compileFilter(filter: unknown, rules: FilterRules): (record: CrmRecord) => boolean {
  if (filter === undefined || filter === null || filter === '') return () => true;
  if (!isArray(filter)) throw errors.notArray('filter');
  const tests = Object.entries(filter as Params).flatMap(([key, wanted]) => {
    const operator: Operator = operators.find((o) => key.startsWith(o)) ?? '';
    const field = key.slice(operator.length);
    // Portals have more operators; nothing of ours uses one.
    if (/^[!<>%=@]/.test(field)) throw errors.badArgument(`The simulator has no operator for ${key}`);
    if (!rules.known.has(field)) return [];
    const holds = condition(multiFields.has(field) ? exactly(operator) : operator, wanted);
    const isNumber = rules.numbers?.has(field) === true;
    return [{ field, holds: isNumber ? (values: string[]) => holds(values.map(plainNumber)) : holds }];
  });
  return (record) => tests.every(({ field, holds }) => holds(valuesOf(record[field])));
}

/** E-mails, phones and addresses are only found whole, whatever pattern is asked for. */
function exactly(operator: Operator): Operator {
  return operator.includes('%') ? '=' : operator;
}

/** The test of a field's values that an operator is with what is wanted: made once, as a portal has many records. */
function condition(operator: Operator, wanted: unknown): (values: string[]) => boolean {
  const list = Array.isArray(wanted)
    ? wanted.map(text)
    : isArray(wanted)
      ? Object.values(wanted).map(text)
      : [text(wanted)];
  const first = list[0] ?? '';
  switch (operator) {
    case '':
    case '=':
    case '@': {
      const keys = new Set(list.map(comparable));
      return (values) => values.some((v) => keys.has(comparable(v)));
    }
    case '%': {
      const part = first.toLowerCase();
      return (values) => values.some((v) => v.toLowerCase().includes(part));
    }
    case '=%':
    case '%=': {
      const pattern = likeExpression(first);
      return (values) => values.some((v) => pattern.test(v));
    }
    case '>':
      return (values) => values.some((v) => v !== '' && compare(v, first) > 0);
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

/** As the database behind the portal compares: without regard to case, to blanks behind and to signs without width. */
function comparable(value: string): string {
  return value
    .replace(/\p{Cf}/gu, '')
    .trimEnd()
    .toLowerCase();
}

function plainNumber(value: string): string {
  return value.replace(/\.0+$/, '');
}

function likeExpression(pattern: string): RegExp {
  const source = [...pattern]
    .map((c) => (c === '%' ? '.*' : c === '_' ? '.' : c.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 'isu');
}

const numeric = /^-?\d+(\.\d+)?$/;
const dated = /^\d{4}-\d\d-\d\d/;

/** Orders two texts as numbers or as moments where both are, else as texts. */
export function compare(a: string, b: string): number {
  if (numeric.test(a) && numeric.test(b)) return Number(a) - Number(b);
  if (dated.test(a) && dated.test(b)) return Date.parse(a) - Date.parse(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
