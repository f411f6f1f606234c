import { isArray, type Params, param } from '#crm/http/request.ts';
import type { CrmRecord } from '#seed/types.ts';
import { companyFieldNames, describeCompanyFields, userFieldRows } from './field-catalogue.ts';
import { compileFilter } from './filter.ts';
import { findDuplicates } from './find-duplicates.ts';
import { page, selectFields, sortRows } from './list-rows.ts';
import type { Method, MethodAnswer, MethodContext } from './method.ts';

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
  { unknownFilterField, distort, fieldTypes }: MethodContext,
): MethodAnswer {
  const filter = distort === 'ignored_filter' ? undefined : param(params, 'filter');
  const select = param(params, 'select');
  const matches = compileFilter(filter, { known, unknown: unknownFilterField, numbers: numbersOf(fieldTypes) });
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
  const found = rows.filter(compileFilter(wanted, { known, unknown: 'ignore' }));
  return { result: sortRows(found, param(params, 'order')), total: found.length };
}
