import { isArray, type Params } from '#crm/http/request.ts';
import { errors } from '#crm/http/rest-error.ts';
import { companyMethods } from './company-methods.ts';
import type { Method, MethodAnswer, MethodContext } from './method.ts';
import { userMethods } from './user-methods.ts';

/** The REST methods of this portal by lower-case name. `batch` is none of them: it calls these. */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...companyMethods,
  ...userMethods,
  ['scope', { scopes: null, run: (_, { scopes }) => ({ result: [...scopes] }) }],
  ['server.time', { scopes: null, run: (_, { now }) => ({ result: portalTime(now()) }) }],
]);

function findMethod(name: string): Method | undefined {
  return methods.get(name.toLowerCase());
}

/** Runs a method, if it exists and the webhook may. Throws RestError. */
export function runMethod(name: string, params: Params, context: MethodContext): MethodAnswer {
  const method = findMethod(name);
  if (!method) throw errors.methodNotFound();
  if (!allows(method, context.scopes)) throw errors.scope();
  const answer = method.run(params, context);
  // Another company than the one asked for, in its own right.
  if (context.distort === 'wrong_company' && Array.isArray(answer.result) && isArray(answer.result[0]))
    return { ...answer, result: [otherRow(answer.result[0] as Params)] };
  return answer;
}

function allows({ scopes }: Method, granted: readonly string[]): boolean {
  return scopes === null || scopes.some((scope) => granted.includes(scope));
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
