import { scalar } from '../../domain/crm-values.ts';

/** Whether a value is a record: an object, no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of a multi field (`EMAIL`, `PHONE`): a list of `{VALUE}`, or one alone; absent where there are none. */
export function addressesOf(field: unknown): string[] {
  return (Array.isArray(field) ? field : [field]).flatMap((item) => scalar(isRecord(item) ? item.VALUE : item) ?? []);
}
