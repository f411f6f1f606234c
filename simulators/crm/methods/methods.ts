import { errors, isArray, type Params, param } from '#crm/http/request.ts';
import type { CrmRecord } from '#seed/types.ts';
import { companyMethods } from './company-methods.ts';
import { compileFilter } from './filter.ts';
import type { Method, MethodAnswer, MethodContext } from './list-rows.ts';
import { page } from './list-rows.ts';

const brief =
  'ID ACTIVE NAME LAST_NAME SECOND_NAME TITLE IS_ONLINE TIME_ZONE WORK_POSITION PERSONAL_PHOTO UF_DEPARTMENT UF_PHONE_INNER DATE_REGISTER TIMESTAMP_X LAST_ACTIVITY_DATE USER_TYPE';
/** Columns by scope: the brief one has no e-mail address (docs/crm.md#people). */
const columns: Record<string, string> = {
  user_brief: brief,
  user_basic: `${brief} EMAIL WORK_PHONE PERSONAL_MOBILE`,
  user: `${brief} EMAIL WORK_PHONE PERSONAL_MOBILE LAST_LOGIN`,
};
/** Never shown, whatever is asked for: bots, mail-only and open-line users, integrators. */
const shownTypes = new Set(['employee', 'extranet']);
const filterable = new Set('ID ACTIVE EMAIL NAME LAST_NAME USER_TYPE UF_DEPARTMENT UF_PHONE_INNER'.split(' '));

function getUsers(params: Params, { portal, scopes, distort }: MethodContext): MethodAnswer {
  const filter = param(params, 'filter');
  const given = isArray(filter) ? { ...filter } : {};
  const topLevel = param(params, 'ID');
  if (topLevel !== undefined) given.ID = topLevel;
  // An id that is no number is no filter at all, and without a filter everybody is listed.
  for (const key of ['ID', '=ID', '@ID']) if (key in given && !usable(given[key])) delete given[key];
  if ('ACTIVE' in given) given.ACTIVE = truthy(given.ACTIVE) ? '1' : '';
  const matches = compileFilter(distort === 'ignored_filter' ? undefined : given, {
    known: filterable,
  });
  const shown = [...portal.users.values()].filter((user) => shownTypes.has(String(user.USER_TYPE)));
  const found = shown.filter((user) => matches({ ...user, ACTIVE: truthy(user.ACTIVE) ? '1' : '' }));
  const { result, ...rest } = page(found, param(params, 'start'));
  const allowed = new Set(scopes.flatMap((scope) => columns[scope]?.split(' ') ?? []));
  // Names that are unknown or outside the scope are skipped.
  const select = param(params, 'select');
  const chosen = isArray(select) ? new Set(Object.values(select).map(String)) : null;
  const isShown = (key: string) => allowed.has(key) && (!chosen || chosen.has(key) || chosen.has('*') || key === 'ID');
  const only = (user: CrmRecord) => Object.fromEntries(Object.entries(user).filter(([key]) => isShown(key)));
  return { ...rest, result: (result as CrmRecord[]).map(only) };
}

function usable(id: unknown): boolean {
  const ids = isArray(id) ? Object.values(id) : [id];
  return ids.length > 0 && ids.every((one) => /^\s*\d+\s*$/.test(String(one)));
}

function truthy(value: unknown): boolean {
  return value === true || ['1', 'y', 'yes', 'true'].includes(String(value).toLowerCase());
}

/** The REST methods of this portal by lower-case name. `batch` is none of them: it calls these. */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...companyMethods,
  ['user.get', { scopes: Object.keys(columns), run: getUsers }],
  ['scope', { scopes: null, run: (_, { scopes }) => ({ result: [...scopes] }) }],
  ['server.time', { scopes: null, run: (_, { now }) => ({ result: portalTime(now()) }) }],
]);

/** Runs a method, if it exists and the webhook may. Throws RestError. */
export function runMethod(name: string, params: Params, context: MethodContext): MethodAnswer {
  const method = methods.get(name.toLowerCase());
  if (!method) throw errors.methodNotFound();
  if (method.scopes && !method.scopes.some((scope) => context.scopes.includes(scope))) throw errors.scope();
  const answer = method.run(params, context);
  // Another company than the one asked for, in its own right.
  if (context.distort === 'wrong_company' && Array.isArray(answer.result) && isArray(answer.result[0]))
    return { ...answer, result: [otherRow(answer.result[0] as Params)] };
  return answer;
}

function otherRow(row: Params): Params {
  const foreign = Object.keys(row).filter(
    (key) => ['ID', 'COMPANY_ID'].includes(key) || /_(ORG|COMPANY)_ID$/.test(key),
  );
  return { ...row, ...Object.fromEntries(foreign.map((key) => [key, '987654321'])) };
}

/** A moment in the portal's own offset. */
export function portalTime(moment: number): string {
  return `${new Date(moment + 3 * 3_600_000).toISOString().slice(0, 19)}+03:00`;
}
