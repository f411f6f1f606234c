import { checkDoctype, listed, listedDoctype, type PermissionType, roleAccess } from '#helpdesk/access/permissions.ts';
import { databaseError, fieldNotPermitted } from '#helpdesk/errors.ts';
import { childRows, type FakeSite } from '#helpdesk/site/site.ts';
import { type DocType, isTable } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { allColumns, type Column, hasColumn, joinRows, resolveColumn } from './columns.ts';
import { compare as compareValues, type Filter, matcher, parseFilters } from './filters.ts';

/** Parameters of a list call as they came in, texts or parsed. */
export interface ListArguments {
  fields?: unknown;
  filters?: unknown;
  or_filters?: unknown;
  order_by?: unknown;
  /** One of the fields asked for: each of its values once. */
  group_by?: unknown;
  limit?: unknown;
  limit_page_length?: unknown;
  limit_start?: unknown;
}

/**
 * `frappe.client.get_list`: rows that the user may see, with the columns asked for. Without `order_by` in the order of
 * the names, 20 rows unless said otherwise, 0 for all. Throws 403, 404 (DocType) and 417 (field, operator).
 */
export function listDocuments(
  site: FakeSite,
  user: string,
  name: string,
  args: ListArguments,
): Record<string, unknown>[] {
  const doctype = listedDoctype(site, user, name);
  // Whoever may select may list.
  const action = roleAccess(site, user, doctype, 'read') === 'none' ? 'select' : 'read';
  checkDoctype(site, user, doctype, action, true);
  const columns = selectedColumns(site, user, doctype, args.fields);
  const tables = new Set(columns.flatMap(({ table }) => table ?? []));
  checkOrder(site, doctype, columns, args);
  const rows = ordered(site, user, doctype, selectRows(site, user, doctype, args, action), args.order_by);
  const answers = rows.flatMap((document) =>
    joinRows(document, tables).map((row) =>
      Object.fromEntries(columns.map((column) => [column.label, column.read(document, row.get(column.table))])),
    ),
  );
  const grouped = args.group_by === undefined ? answers : firstOfEach(answers, String(args.group_by));
  const start = numberOr(args.limit_start, 0);
  const length = numberOr(args.limit_page_length ?? args.limit, 20);
  return grouped.slice(start, length === 0 ? undefined : start + length);
}

function firstOfEach(rows: Record<string, unknown>[], field: string): Record<string, unknown>[] {
  return [...new Map(rows.toReversed().map((row) => [row[field], row])).values()].toReversed();
}

/** The documents of a list call, before paging. */
export function selectRows(
  site: FakeSite,
  user: string,
  doctype: DocType,
  args: ListArguments,
  action: PermissionType = 'read',
): StoredDocument[] {
  const all = parseFilters(args.filters).map((filter) => test(site, user, doctype, filter));
  const any = parseFilters(args.or_filters).map((filter) => test(site, user, doctype, filter));
  return site.store
    .all(doctype)
    .filter((document) => all.every((met) => met(document)) && (any.length === 0 || any.some((met) => met(document))))
    .filter(listed(site, user, doctype, action));
}

function selectedColumns(site: FakeSite, user: string, doctype: DocType, raw: unknown): Column[] {
  const fields = readFields(raw);
  const columns = fields.flatMap((field) =>
    field === '*' || /^`?tab[^`]*`?\.\*$/.test(field)
      ? allColumns(site, user, doctype)
      : [resolveColumn(site, user, doctype, field)],
  );
  return columns.filter((column) => !column.hidden);
}

function readFields(raw: unknown): string[] {
  if (raw === undefined || raw === null || raw === '') return ['name'];
  let value = raw;
  if (typeof raw === 'string') {
    try {
      value = JSON.parse(raw);
    } catch {
      value = raw.split(',');
    }
  }
  return (Array.isArray(value) ? value : [value]).map((field) => String(field).trim());
}

function test(site: FakeSite, user: string, doctype: DocType, filter: Filter): (document: StoredDocument) => boolean {
  if (filter.doctype !== undefined && filter.doctype !== doctype.name) {
    const table = doctype.fields.find((field) => isTable(field) && field.options === filter.doctype);
    if (table === undefined) throw fieldNotPermitted(filter.field);
    const column = resolveColumn(site, user, doctype, `${table.fieldname}.${filter.field}`);
    const met = matcher(column.kind, filter);
    return (document) => childRows(document, table.fieldname).some((row) => met(column.read(document, row)));
  }
  // A field of a closed level may be filtered by, although it is not shown.
  const column = resolveColumn(site, user, doctype, filter.field);
  const met = matcher(column.kind, filter);
  return (document) => met(column.read(document, undefined));
}

/** An order by a column that a joined table has as well fails, unless it is among the selected ones. */
function checkOrder(site: FakeSite, doctype: DocType, columns: readonly Column[], args: ListArguments): void {
  const filtered = [...parseFilters(args.filters), ...parseFilters(args.or_filters)].flatMap(
    (one) => one.doctype ?? [],
  );
  const joined = [...columns.flatMap(({ joins }) => joins ?? []), ...filtered.filter((name) => name !== doctype.name)];
  for (const part of typeof args.order_by === 'string' ? args.order_by.split(',') : []) {
    const [field = ''] = part.trim().split(/\s+/);
    const isSelected = columns.some(({ label }) => label === field);
    if (isSelected || !/^\w+$/.test(field) || !joined.some((name) => hasColumn(site.metadata.list(name), field)))
      continue;
    throw databaseError('OperationalError', 1052, `Column '${field}' in ORDER BY is ambiguous`);
  }
}

function ordered(
  site: FakeSite,
  user: string,
  doctype: DocType,
  rows: StoredDocument[],
  orderBy: unknown,
): StoredDocument[] {
  if (typeof orderBy !== 'string' || orderBy.trim() === '') return rows;
  const keys = orderBy.split(',').map((part) => {
    const [, field = '', direction] = /^\s*(.+?)(?:\s+(asc|desc))?\s*$/i.exec(part) ?? [];
    const sign = direction?.toLowerCase() === 'desc' ? -1 : 1;
    return { column: resolveColumn(site, user, doctype, field), sign };
  });
  return rows.sort((left, right) => {
    for (const { column, sign } of keys) {
      const order = compareValues(column.kind, column.read(left, undefined), column.read(right, undefined));
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

function numberOr(value: unknown, otherwise: number): number {
  const number = Number(value ?? '');
  return value === undefined || value === null || value === '' || Number.isNaN(number) ? otherwise : number;
}
