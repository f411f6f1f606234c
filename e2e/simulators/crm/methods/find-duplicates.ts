import { isArray, type Params, param } from '#crm/http/request.ts';
import { errors } from '#crm/http/rest-error.ts';
import type { CrmRecord } from '#seed/types.ts';
import type { MethodAnswer, MethodContext } from './method.ts';

/** The oldest of each kind; a kind that has so many hides those behind it. */
const most = 20;
const maxValues = 20;

/**
 * `crm.duplicate.findbycomm`: ids, as numbers, of the contacts and companies that have one of the e-mail addresses or
 * telephone numbers (docs/crm.md#filters). Only kinds with a find are named; without any the answer is an empty list.
 * This portal has no leads.
 */
export function findDuplicates(params: Params, { portal }: MethodContext): MethodAnswer {
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
