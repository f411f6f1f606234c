import type { Params } from '#crm/http/request.ts';
import type { Portal } from '#crm/portal.ts';
import type { FieldType } from '#crm/simulator.ts';

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
  /** What list methods do with a filter field that they do not know. */
  unknownFilterField: 'ignore' | 'error';
  /** A fault that gives rows other than those asked for. */
  distort: 'wrong_company' | 'ignored_filter' | null;
  now: () => number;
}

export interface Method {
  /** Any of these scopes will do; null: none is needed. */
  scopes: readonly string[] | null;
  run(params: Params, context: MethodContext): MethodAnswer;
}
