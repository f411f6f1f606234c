import { errors, isArray, type Params } from '#crm/http/request.ts';
import type { FieldType, Portal } from '#crm/simulator.ts';
import type { CrmRecord } from '#seed/types.ts';
import { compare, multiFields } from './filter.ts';

const pageSize = 50;

/**
 * One page of rows. `start` is an offset; -1 leaves the counting out: total 0, never a `next`
 * (docs/crm.md#calling).
 */
export function page(rows: readonly unknown[], start: unknown): MethodAnswer {
  const offset = Math.trunc(Number(start ?? 0)) || 0;
  if (offset === -1) return { result: rows.slice(0, pageSize), total: 0 };
  const from = Math.max(0, offset);
  const rest = from + pageSize < rows.length ? { next: from + pageSize } : {};
  return { result: rows.slice(from, from + pageSize), total: rows.length, ...rest };
}

/** Sorts by several fields; rows that are equal in all of them stay as they were. */
export function sortRows(rows: readonly CrmRecord[], order: unknown): CrmRecord[] {
  if (order === undefined || order === null || order === '') return [...rows];
  if (!isArray(order)) throw errors.notArray('order');
  const keys = Object.entries(order as Params).map(([field, direction]) => ({
    field,
    sign: String(direction).toUpperCase() === 'DESC' ? -1 : 1,
  }));
  return rows.toSorted((a, b) => {
    for (const { field, sign } of keys) {
      const order = compare(String(a[field] ?? ''), String(b[field] ?? ''));
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

/**
 * The selected fields of a row: `*` is all own fields, `UF_*` all custom ones, multi fields must be named, `ID` always
 * comes, unknown names are skipped (docs/crm.md#calling).
 */
export function selectFields(record: CrmRecord, select: unknown): Record<string, unknown> {
  const given = isArray(select) ? Object.values(select).map(String) : [];
  const names = new Set(given.length > 0 ? given : ['*', 'UF_*']);
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => {
      if (key === 'ID' || names.has(key)) return true;
      if (multiFields.has(key)) return false;
      return names.has(key.startsWith('UF_') ? 'UF_*' : '*');
    }),
  );
}

/** What a method gives: the result, and for lists the totals beside it. */
export interface MethodAnswer {
  result: unknown;
  total?: number;
  next?: number;
}

/** What a method may know of the call it serves. */
export interface MethodContext {
  portal: Portal;
  scopes: readonly string[];
  /** Fields of companies that this portal does not have. */
  absentFields: ReadonlySet<string>;
  /** Fields of companies that this portal has with another type, or as several values. */
  fieldTypes: ReadonlyMap<string, FieldType>;
  /** A fault that gives rows other than those asked for. */
  distort: 'wrong_company' | 'ignored_filter' | null;
  now: () => number;
}

export interface Method {
  /** Any of these scopes will do; null: none is needed. */
  scopes: readonly string[] | null;
  run(params: Params, context: MethodContext): MethodAnswer;
}
