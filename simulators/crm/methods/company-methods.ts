import { errors, isArray, type Params, param } from '#crm/http/request.ts';
import type { CrmRecord } from '#seed/types.ts';
import { companyFieldNames, describeCompanyFields, userFieldRows } from './field-catalogue.ts';
import { compileFilter } from './filter.ts';
import type { Method, MethodAnswer, MethodContext } from './list-rows.ts';
import { page, selectFields, sortRows } from './list-rows.ts';

/** Methods of the scope `crm`. */
export const companyMethods: [string, Method][] = (
  [
    ['crm.company.list', listCompanies],
    [
      'crm.company.fields',
      (_, { absentFields, fieldTypes }) => ({ result: describeCompanyFields(absentFields, fieldTypes) }),
    ],
    ['crm.company.userfield.list', userFields],
    ['crm.contact.list', (params, context) => list(context.portal.contacts, contactFieldNames, params, context)],
    ['crm.duplicate.findbycomm', findDuplicates],
  ] satisfies [string, Method['run']][]
).map(([name, run]) => [name, { scopes: ['crm'], run }]);

const contactFieldNames: ReadonlySet<string> = new Set(
  'ID NAME SECOND_NAME LAST_NAME POST COMPANY_ID TYPE_ID ASSIGNED_BY_ID DATE_CREATE DATE_MODIFY EMAIL PHONE WEB'.split(
    ' ',
  ),
);

/** Types whose fields are no filter. */
const unfilterable = new Set(['file', 'address']);

function listCompanies(params: Params, context: MethodContext): MethodAnswer {
  const { portal, absentFields, fieldTypes } = context;
  const unfiltered = [...fieldTypes].filter(([, { type }]) => unfilterable.has(type)).map(([name]) => name);
  const known = companyFieldNames.difference(new Set(unfiltered));
  if (absentFields.size === 0) return list(portal.companies, known, params, context);
  const rows = [...portal.companies].map(([id, company]) => [id, without(company, absentFields)] as const);
  return list(new Map(rows), known.difference(absentFields), params, context);
}

function without(record: CrmRecord, absent: ReadonlySet<string>): CrmRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !absent.has(name))) as CrmRecord;
}

function list(
  records: ReadonlyMap<string, CrmRecord>,
  known: ReadonlySet<string>,
  params: Params,
  { distort, fieldTypes }: MethodContext,
): MethodAnswer {
  const filter = distort === 'ignored_filter' ? undefined : param(params, 'filter');
  const select = param(params, 'select');
  const matches = compileFilter(filter, { known, numbers: numbersOf(fieldTypes) });
  const rows = sortRows([...records.values()].filter(matches), param(params, 'order'));
  const { result, ...rest } = page(rows, param(params, 'start'));
  return { ...rest, result: (result as CrmRecord[]).map((row) => selectFields(row, select)) };
}

/** Fields that are compared as numbers. */
function numbersOf(types: MethodContext['fieldTypes']): ReadonlySet<string> {
  return new Set([...types].filter(([, { type }]) => type === 'integer' || type === 'double').map(([name]) => name));
}

function userFields(params: Params, { absentFields }: MethodContext): MethodAnswer {
  const filter = param(params, 'filter');
  const { LANG, ...wanted } = isArray(filter) ? filter : {};
  const rows = userFieldRows(LANG === undefined ? null : String(LANG), absentFields) as CrmRecord[];
  const known = new Set(['ID', 'FIELD_NAME', 'USER_TYPE_ID', 'MULTIPLE', 'MANDATORY']);
  const found = rows.filter(compileFilter(wanted, { known }));
  return { result: sortRows(found, param(params, 'order')), total: found.length };
}

/** The oldest of each kind; a kind that has so many hides those behind it. */
const most = 20;
const maxValues = 20;

/**
 * `crm.duplicate.findbycomm`: ids, as numbers, of the contacts and companies that have one of the e-mail addresses or
 * telephone numbers (docs/crm.md#filters). Only kinds with a find are named; without any the answer is an empty list.
 * This portal has no leads.
 */
function findDuplicates(params: Params, { portal }: MethodContext): MethodAnswer {
  const type = text(param(params, 'type')).toUpperCase();
  if (type === '') throw errors.badArgument('Communication type is not defined.');
  if (type !== 'EMAIL' && type !== 'PHONE')
    throw errors.badArgument(`Communication type '${type}' is not supported in current context.`);
  const given = param(params, 'values');
  const values = isArray(given) ? Object.values(given).slice(0, maxValues) : [];
  const wanted = new Set(values.map((value) => keyOf(type, text(value))).filter((key) => key !== ''));
  if (wanted.size === 0) throw errors.badArgument('Communication values is not defined.');
  const kinds = [
    ['CONTACT', portal.contacts],
    ['COMPANY', portal.companies],
  ] as const;
  // Anything but one of the kinds stands for all of them.
  const only = kinds.find(([kind]) => kind === text(param(params, 'entity_type')).toUpperCase());
  const found: Record<string, number[]> = {};
  for (const [kind, records] of only ? [only] : kinds) {
    const ids = [...records.values()].filter((record) => has(record, type, wanted)).map(({ ID }) => Number(ID));
    if (ids.length > 0) found[kind] = ids.sort((a, b) => a - b).slice(0, most);
    if (ids.length >= most) break;
  }
  return { result: Object.keys(found).length === 0 ? [] : found };
}

function has(record: CrmRecord, type: 'EMAIL' | 'PHONE', wanted: ReadonlySet<string>): boolean {
  const entries = record[type];
  return Array.isArray(entries) && entries.some((entry) => wanted.has(keyOf(type, text((entry as Params).VALUE))));
}

/** How the portal's index keeps a value: a number as its digits, without extension and whatever its national prefix. */
function keyOf(type: 'EMAIL' | 'PHONE', value: string): string {
  if (type === 'EMAIL') return value.trim().toLowerCase();
  return value.replace(/[#;].*$/s, '').replace(/\D/g, '');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
